import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Application, Response } from 'express';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface DocsPage {
  title: string;
  path: string;
  documentPath: string;
}

function guarded(response: Response): Response {
  return response
    .set('Content-Security-Policy', POLICY)
    .set('X-Content-Type-Options', 'nosniff')
    .set('Cache-Control', 'no-cache');
}

export function sendDocsPage({ title, path: at }: DocsPage, response: Response): void {
  guarded(response)
    .type('html')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${at}/swagger-ui.css">
</head>
<body>
<main>
<h1>${title}</h1>
<div id="interface"></div>
</main>
<script src="${at}/swagger-ui-bundle.js"></script>
<script src="${at}/start.js"></script>
</body>
</html>
`);
}

export function mountDocsFiles(app: Application, page: DocsPage): void {
  const root = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  app.get(`${page.path}/swagger-ui-bundle.js`, (_request, response) =>
    guarded(response).sendFile('swagger-ui-bundle.js', { root, cacheControl: false }),
  );
  app.get(`${page.path}/swagger-ui.css`, (_request, response) => {
    const styles = readFileSync(path.join(root, 'swagger-ui.css'), 'utf8');
    guarded(response).type('css').send(`${styles}${READABLE}${DARK}`);
  });
  const options = {
    url: page.documentPath,
    dom_id: '#interface',
    deepLinking: true,
    docExpansion: 'none',
    validatorUrl: null,
  };
  app.get(`${page.path}/start.js`, (_request, response) => {
    guarded(response)
      .type('js')
      .send(`SwaggerUIBundle({ ...${JSON.stringify(options)}, onComplete: ${NAME_SERVERS} });\n`);
  });
}

const NAME_SERVERS =
  "() => document.getElementById('servers')?.setAttribute('aria-label', 'Server')";

const READABLE = `
main > h1 {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
.swagger-ui .info .title small {
  background: #5b6270;
}
.swagger-ui .info .title small.version-stamp {
  background: #4a6a00;
}
.swagger-ui .info a,
.swagger-ui .link {
  color: #1f5f99;
}
.swagger-ui .btn.authorize {
  border-color: #1c7d4d;
  color: #1c7d4d;
}
.swagger-ui .btn.authorize svg {
  fill: #1c7d4d;
}
`;

/**
 * swagger-ui only has light colours, so the filter inverts them and rotates the hue back. The
 * filter is on the root, because on another element it would move fixed elements such as dialogs.
 */
const DARK = `
@media (prefers-color-scheme: dark) {
  html {
    color-scheme: light;
    background: #fff;
    filter: invert(0.94) hue-rotate(180deg);
  }
  .swagger-ui .highlight-code,
  .swagger-ui .microlight,
  .swagger-ui .curl {
    filter: invert(1) hue-rotate(180deg);
  }
  .swagger-ui .highlight-code :is(.microlight, .curl) {
    filter: none;
  }
}
`;
