-- Begin and end records that are joined by the query. `spans` has the same latencies.
SELECT d.ret, count(*) AS requests, sum(d.time_ns - r.time_ns) AS latency_ns, max(d.time_ns - r.time_ns) AS max_ns
FROM disk_read r
JOIN disk_done d ON d.trace = r.trace AND d.req = r.req
GROUP BY d.ret
ORDER BY d.ret
