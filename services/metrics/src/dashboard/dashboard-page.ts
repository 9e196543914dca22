import { readFileSync } from 'node:fs';
import path from 'node:path';

const ASSETS = path.join(__dirname, '../../assets/dashboard');

/** The page with its styles, its scripts and the chart library inside: it loads nothing else. */
export function dashboardPage(): string {
  page ??= readPage();
  return page;
}

let page: string | undefined;

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
