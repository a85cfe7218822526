// Starts Chromium, executes the steps of a test in a page, and always closes Chromium at the end. Only local servers can be reached.
const { chromium } = require('playwright-core');

const steps = async (page, args, { browser, context, expect, problems }) => {
//STEPS//
};

function expect(condition, what) {
    if (!condition) throw new Error('expected: ' + what);
}

(async () => {
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM,
        args: [
            '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
        ],
    });
    try {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
        const page = await context.newPage();
        page.setDefaultTimeout(60000);
        const problems = [];
        page.on('pageerror', error => problems.push('page error: ' + error.stack));
        page.on('console', message => { if (message.type() === 'error') problems.push('console: ' + message.text()); });
        try {
            const result = await steps(page, process.argv.slice(2), { browser, context, expect, problems });
            if (result !== undefined) console.log(typeof result === 'string' ? result : JSON.stringify(result));
        } finally {
            for (const problem of problems) console.error(problem);
        }
    } finally {
        await browser.close();
    }
})().catch(error => {
    console.error(error.stack || String(error));
    process.exitCode = 1;
});
