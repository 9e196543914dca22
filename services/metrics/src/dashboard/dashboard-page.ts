import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ASSETS = path.join(__dirname, '../../assets/dashboard');

export function dashboardPage(): Page {
  page ??= withPolicy(readPage());
  return page;
}

interface Page {
  html: string;
  policy: string;
}

let page: Page | undefined;

function withPolicy(html: string): Page {
  const policy = [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script')}`,
    `style-src ${hashesOf(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { html, policy: policy.join('; ') };
}

function hashesOf(html: string, tag: 'script' | 'style'): string {
  const found = html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'));
  return [...found]
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ');
}

function readPage(): string {
  const own = (name: string) => readFileSync(path.join(ASSETS, name), 'utf8');
  const charts = path.join(path.dirname(require.resolve('uplot')), 'uPlot');
  const parts: Record<string, string> = {
    styles: `${readFileSync(`${charts}.min.css`, 'utf8')}\n${own('page.css')}\n${own('glance.css')}`,
    language: own('language.js'),
    library: readFileSync(`${charts}.iife.min.js`, 'utf8'),
    charts: own('charts.js'),
    glance: own('glance.js'),
    tables: own('tables.js'),
    grids: own('grids.js'),
    page: own('page.js'),
  };
  return own('page.html').replace(
    /\/\* (styles|language|library|charts|glance|tables|grids|page) \*\//g,
    (_, name: string) => parts[name] ?? '',
  );
}
