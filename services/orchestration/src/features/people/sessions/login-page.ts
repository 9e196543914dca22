import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Application } from 'express';

const FOLDER = join(__dirname, '../../../..', 'pages');

const PARTS = [
  { path: '/login', file: 'login.html', type: 'html' },
  { path: '/login/login.css', file: 'login.css', type: 'css' },
  { path: '/login/login.js', file: 'login.js', type: 'js' },
];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page where people sign in, accept an invite and sign out; three files, no inline script. */
export function mountLoginPage(app: Application): void {
  for (const { path, file, type } of PARTS) {
    const content = readFileSync(join(FOLDER, file), 'utf8');
    app.get(path, (_request, response) => {
      response.set('Content-Security-Policy', POLICY);
      response.set('Cache-Control', 'no-cache');
      response.type(type).send(content);
    });
  }
}
