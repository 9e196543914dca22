import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { finishApplication } from '@switchyard/server';
import express from 'express';
import supertest from 'supertest';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { useHarness } from '../../../test/harness';
import { readBuiltFiles } from './built-files';
import { ownPath } from './own-path';
import { serveConsole } from './serve-console';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

const CONSOLE = join(__dirname, '../../../../../packages/console/src');
const names = [...(readBuiltFiles()?.assets.keys() ?? [])];
const SCRIPT = names.find((name) => /^\/assets\/index-.*\.js$/.test(name)) as string;

describe('the console in local trusted mode', () => {
  const harness = useHarness();
  const get = (path: string) => harness.api.get(path).set('Accept', BROWSER);

  it('returns the document with its security headers at the address of every screen', async () => {
    const pages = ['/', '/start', '/account', '/ACM', '/ACM/', '/AC2/overview'];
    const screens = ['/ACM/issues/ACM-12', '/ACM/issues?view=board', '/ACM/runs/x', '/ACM/org'];
    for (const path of [...pages, ...screens]) {
      const { status, headers, text: document } = await harness.api.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
      });
      expect(document).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:/i);
    }
  });

  it('returns 200 for the address of every screen that the console defines', async () => {
    const routes = readFileSync(join(CONSOLE, 'routes.tsx'), 'utf8');
    const screens = [...routes.matchAll(/ screen\(\s*'([^']+)'/g)].map(
      ([, path]) => path as string,
    );
    expect(screens).toContain('issues/$issue');
    for (const screen of screens) {
      const path = `/ACM/${screen.replace(/\$\w+/, 'x')}`;
      const { status } = await harness.api.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  it('returns JSON to programs and pages to browsers below /API if a company has the prefix API', async () => {
    const company = await harness.build.company({ name: 'API' });
    const issue = await harness.build.issue({ companyId: company.id });
    const { body } = await harness.api.get(`/API/issues/${issue.id}`).expect(200);
    expect(body.id).toBe(issue.id);
    const page = await get(`/API/issues/${issue.identifier}`).expect(200);
    expect(page.headers['content-type']).toContain('text/html');
  });

  it('returns 304 for an unchanged document', async () => {
    const { headers } = await get('/').expect(200);
    const again = await get('/ACM').set('If-None-Match', String(headers.etag)).expect(304);
    expect(again.text).toBe('');
    const head = await harness.api.head('/').expect(200);
    expect(head.headers.etag).toBe(headers.etag);
    expect(head.text).toBeUndefined();
  });

  it('returns 404 for an unknown page, as HTML to browsers and as JSON to programs', async () => {
    for (const path of ['/ACM/nothing', '/ACM/issues/a/b', '/nothing']) {
      const page = await get(path).expect(404);
      expect(page.headers['content-security-policy']).toBe(POLICY);
      const { body } = await harness.api.get(path).set('Accept', '*/*').expect(404);
      expect(body.code).toBe('not_found');
    }
    for (const path of [
      '/api/nothing',
      '/assets/nothing.js',
      '/index.html',
      '/sign-in',
      '/login',
    ]) {
      const isOther = /^\/(?:api|assets)/.test(path);
      const { headers } = await get(path).expect(404);
      expect(headers['content-type']).toContain(isOther ? 'application/json' : 'text/html');
    }
    await harness.api.post('/ACM').send({}).expect(404);
  });

  it('serves compressed assets with a lifetime of one year', async () => {
    const plain = await harness.api.get(SCRIPT).set('Accept-Encoding', 'identity').expect(200);
    const sizes = { identity: plain.text.length, gzip: 0, br: 0 };
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const { headers } = await harness.api
        .head(SCRIPT)
        .set('Accept-Encoding', accepted)
        .expect(200);
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
      sizes[encoding] = Number(headers['content-length']);
    }
    expect(sizes.br).toBeLessThan(sizes.gzip);
    expect(sizes.gzip).toBeLessThan(sizes.identity);
    const unpacked = await harness.api.get(SCRIPT).set('Accept-Encoding', 'br').expect(200);
    expect(unpacked.text).toBe(plain.text);
  });

  it('returns no file outside the build', async () => {
    const secret = mkdtempSync(join(tmpdir(), 'console-'));
    const built = join(secret, 'dist');
    mkdirSync(join(built, 'assets'), { recursive: true });
    mkdirSync(join(built, '.vite'));
    for (const file of [
      'secret',
      'dist/index.html',
      'dist/.vite/manifest.json',
      'dist/assets/a.js',
    ]) {
      writeFileSync(join(secret, file), `content of ${file}`);
    }
    const app = express();
    serveConsole(app, harness.context, readBuiltFiles(built));
    finishApplication(app, harness.context.logger);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const child = async (path: string) => {
      const [response] = await once(ask({ port, path, host: '127.0.0.1' }), 'response');
      return text(response);
    };
    expect(await child('/assets/a.js')).toContain('content of dist/assets/a.js');
    for (const path of [
      '/assets/../../secret',
      '/assets/..%2f..%2fsecret',
      '/assets/%2e%2e/%2e%2e/secret',
      '/assets/..\\..\\secret',
      '/assets/a.js/../../../secret',
      '/.vite/manifest.json',
      '/assets/../.vite/manifest.json',
      '/%00',
      '/assets/a.js%00',
      '/assets/__proto__',
      '//secret',
    ]) {
      expect(await child(path)).not.toContain('content of secret');
      expect(await child(path)).not.toContain('manifest.json');
    }
    server.close();
    rmSync(secret, { recursive: true });
  });

  it('returns 503 with the build command if the console was not built', async () => {
    const app = express();
    serveConsole(app, harness.context, null);
    finishApplication(app, harness.context.logger);
    const { body } = await supertest(app).get('/').expect(503);
    expect(body.error).toContain('run `npm run build`');
  });
});

describe('the console in authenticated mode', () => {
  const harness = useAuthenticatedHarness();
  const visit = (path: string) => harness.api.get(path).set('Accept', BROWSER);
  const ORIGIN = 'https://board.example.com';

  it('redirects a visitor without a session to the sign-in page, and back after the sign-in', async () => {
    for (const [path, to] of [
      ['/', '/sign-in'],
      [
        '/ACM/issues?view=board&q=a%20b',
        '/sign-in?next=%2FACM%2Fissues%3Fview%3Dboard%26q%3Da%2520b',
      ],
      ['/ACM/nothing', '/sign-in?next=%2FACM%2Fnothing'],
    ] as const) {
      const { headers } = await visit(path).expect(302);
      expect(headers.location).toBe(to);
      expect(headers['cache-control']).toBe('no-store');
    }
    await harness.as(harness.founder).get('/ACM').expect(200);
    const forged = `__Host-service.sid=s%3A${'x'.repeat(32)}.${'y'.repeat(43)}`;
    await visit('/ACM').set('Cookie', forged).expect(302);
    const { headers } = await visit('/login').expect(302);
    expect(headers.location).toBe('/sign-in');
    await visit(SCRIPT).expect(200);
  });

  it('uses the language of the browser on the sign-in page', async () => {
    const { text, headers } = await visit('/sign-in').expect(200);
    expect(text).toContain('<html lang="en">');
    expect(headers['content-security-policy']).toBe(POLICY);
    expect(text).not.toMatch(/\{\{|<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    const german = await visit('/sign-in').set('Accept-Language', 'de-CH,de;q=0.9').expect(200);
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).not.toContain('{{');
    expect(german.headers.vary).toContain('Accept-Language');
  });

  const submit = (fields: Record<string, string>, origin = ORIGIN) =>
    harness.api.post('/sign-in').type('form').set('Origin', origin).send(fields);

  it('accepts a sign-in through a plain HTML form', async () => {
    const { email } = await harness.operator();
    const password = 'correct horse battery staple';
    const done = await submit({ email, password, next: '/ACM/issues?a=1' }).expect(303);
    expect(done.headers.location).toBe('/ACM/issues?a=1');
    const cookie = [done.headers['set-cookie']]
      .flat()
      .find((each) => /^__Host-service\.sid=/.test(String(each)));
    await visit('/ACM')
      .set('Cookie', String(cookie).split(';')[0] as string)
      .expect(200);

    const wrong = await submit({ email, password: 'wrong', next: '/ACM' }).expect(303);
    expect(wrong.headers.location).toBe('/sign-in?next=%2FACM#wrong');
    expect(wrong.headers['set-cookie']).toBeUndefined();
    expect((await submit({})).headers.location).toBe('/sign-in#wrong');
    await submit({ email, password }, 'https://evil.example.com').expect(403);
    await submit({ email, password }, 'null').expect(403);
    for (let at = 0; at < 5; at++) await submit({ email, password: 'wrong' });
    expect((await submit({ email, password: 'wrong' })).headers.location).toBe('/sign-in#too-many');
  });

  it('redirects only to paths on the same origin', async () => {
    const next = '/ACM/x"><script>alert(1)</script>';
    const { text } = await visit(`/sign-in?next=${encodeURIComponent(next)}`).expect(200);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('name="next" value="/ACM/x%22%3E%3Cscript%3Ealert(1)%3C/script%3E"');
    for (const foreign of [
      'https://evil.example.com',
      '//evil.example.com',
      '/\\evil.example.com',
      '/\t/evil.example.com',
      '/.//evil.example.com',
      '/..//evil.example.com',
      'javascript:alert(1)',
      '/sign-in?next=/ACM',
      '/api/auth/logout',
      '',
      undefined,
      ['/ACM'],
    ]) {
      expect({ foreign, to: ownPath(foreign) }).toEqual({ foreign, to: '/' });
    }
    expect(ownPath('/ACM/issues?view=board#x')).toBe('/ACM/issues?view=board#x');
  });
});
