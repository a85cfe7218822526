// Workers take tasks from a queue. Each task is a span. Its destructor records the end, even if the
// task throws an exception.
#include <cstdio>
#include <exception>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ringtrace.h"
#include "trace-queue.h"

namespace {

constexpr unsigned workers = 3;

class Span {
public:
    Span(unsigned task, const std::string &kind) : task_(task) { trace_task_begin(task, kind.c_str()); }
    ~Span() { trace_task_end(task_, std::uncaught_exceptions() > 0); }
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;

private:
    unsigned task_;
};

struct Queue {
    std::mutex mutex;
    std::queue<unsigned> tasks;
};

unsigned work(unsigned task)
{
    Span span(task, task % 2 == 0 ? "even" : "odd");
    if (task % 10 == 0) {
        throw std::runtime_error("a tenth task");
    }
    return task;
}

void run(Queue &queue, unsigned worker)
{
    for (;;) {
        unsigned task;
        {
            std::lock_guard<std::mutex> lock(queue.mutex);
            if (queue.tasks.empty()) {
                break;
            }
            task = queue.tasks.front();
            queue.tasks.pop();
        }
        try {
            work(task);
        } catch (const std::runtime_error &) {
            // The trace shows which tasks failed.
        }
    }
    trace_queue_empty(worker);
}

} // namespace

int main(int argc, char *argv[])
{
    if (ringtrace_start_with_args(&argc, argv) != 0) {
        std::fprintf(stderr, "%s: %s\n", argv[0], ringtrace_error());
        return 1;
    }
    Queue queue;
    for (unsigned task = 1; task <= 100; task++) {
        queue.tasks.push(task);
    }
    std::vector<std::thread> threads;
    for (unsigned worker = 0; worker < workers; worker++) {
        threads.emplace_back(run, std::ref(queue), worker);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    return 0;
}
