import type { Request } from 'express';
import express from 'express';
import supertest from 'supertest';
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers';

const SECRET = 'a session secret that only this test knows';
const ADA = 'ada@example.com';
const EVE = 'eve@example.com';
const DAY_MS = 86_400_000;

function shown(browsers: KnownBrowsers) {
  const app = express();
  app.get('/remember/:email', (request, response) => {
    browsers.remember(request, request.params.email);
    response.end();
  });
  app.get('/id/:email', (request: Request, response) => {
    response.json(browsers.idOf(request, String(request.params.email)));
  });
  const setCookie = async (email: string) =>
    String((await supertest(app).get(`/remember/${email}`)).headers['set-cookie']);
  const idOf = async (email: string, cookie: string): Promise<string | null> =>
    (await supertest(app).get(`/id/${email}`).set('Cookie', cookie)).body;
  return { setCookie, idOf };
}

const pairOf = (setCookie: string) => setCookie.split(';')[0] as string;

describe('createKnownBrowsers', () => {
  let now = Date.UTC(2030, 0, 1);
  const clock = { now: () => new Date(now) };
  const { setCookie, idOf } = shown(createKnownBrowsers([SECRET], true, clock));

  it('sets an HttpOnly, SameSite cookie with a limited lifetime', async () => {
    const cookie = await setCookie(ADA);
    for (const part of ['Path=/api/auth', 'HttpOnly', 'Secure', 'SameSite=Strict']) {
      expect(cookie).toContain(`; ${part}`);
    }
    expect(cookie).toContain(`Max-Age=${180 * 86_400};`);
    expect(cookie).not.toMatch(/ada|example/i);
    const plain = shown(createKnownBrowsers([SECRET], false, clock));
    expect(await plain.setCookie(ADA)).not.toContain('Secure');
  });

  it('finds the id of the account among cookies of other accounts and invalid cookies', async () => {
    const [one, other] = [pairOf(await setCookie(ADA)), pairOf(await setCookie(ADA))];
    const id = await idOf(ADA, one);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(await idOf(ADA, other)).not.toBe(id);
    const eve = pairOf(await setCookie(EVE));
    const all = `service.sid=s%3Ax.y; ${eve}; ${one};theme=dark`;
    expect(await idOf(ADA, all)).toBe(id);
    expect(await idOf(EVE, all)).toMatch(/^[\w-]{22}$/);
    const [name] = one.split('=');
    expect(await idOf(ADA, `${name}=x; ${name}=${'A'.repeat(22)}.1.x; ${one}`)).toBe(id);
  });

  it('finds no id in a cookie that was modified, belongs to another account or was signed with another secret', async () => {
    const ada = pairOf(await setCookie(ADA));
    const [name, value] = ada.split('=') as [string, string];
    const [id, until, mark] = value.split('.') as [string, string, string];
    const eve = pairOf(await setCookie(EVE)).split('=')[1];
    const elsewhere = shown(createKnownBrowsers(['another secret of another server'], true, clock));
    const foreign = pairOf(await elsewhere.setCookie(ADA));
    for (const cookie of [
      '',
      name,
      `${name}=`,
      `${name}=${eve}`,
      foreign,
      `${name}=${foreign.split('=')[1]}`,
      `${name}=${'A'.repeat(22)}.${until}.${mark}`,
      `${name}=${id}.${Number(until) + 1}.${mark}`,
      `${name}=${id}.${until}.${'A'.repeat(43)}`,
      `${name}=${id}.${until}`,
      `x${ada}`,
      `${ada}x`,
    ]) {
      expect({ cookie, id: await idOf(ADA, cookie) }).toEqual({ cookie, id: null });
    }
    expect(await idOf(EVE, ada)).toBeNull();
  });

  it('finds no id after the cookie has expired', async () => {
    const cookie = pairOf(await setCookie(ADA));
    now += 180 * DAY_MS - 1;
    expect(await idOf(ADA, cookie)).not.toBeNull();
    now += 1;
    expect(await idOf(ADA, cookie)).toBeNull();
  });

  it('finds no id in a very long malformed Cookie header', async () => {
    const cookie = pairOf(await setCookie(ADA));
    const [name] = cookie.split('=');
    const long = `${name}=${'A'.repeat(22)}.${'1'.repeat(13)}.`.repeat(120);
    expect(await idOf(ADA, `${' '.repeat(2_000)}${long}`)).toBeNull();
  });
});
