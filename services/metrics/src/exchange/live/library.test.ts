import { loadLibrary } from './library';

const library = loadLibrary('binance', (text) => text);

async function refusal(status: number, code: number) {
  const ccxt = library.create({ apiKey: 'key', secret: 'secret' });
  const answers = [
    new Response('{"balances":[]}', { status: 200 }),
    new Response(JSON.stringify({ code, msg: 'refused' }), { status }),
  ];
  ccxt.fetchImplementation = async () => answers.shift();
  const ask = (ccxt as unknown as Record<string, () => Promise<unknown>>).privateGetAccount;
  await ask?.call(ccxt);
  return ask?.call(ccxt).catch((error) => library.failureOf(error, 'balance').code);
}

it.each([
  [401, -1002, 'auth'],
  [400, -1022, 'auth'],
  [401, -1099, 'auth'],
  [401, -2008, 'auth'],
  [401, -2014, 'auth'],
  [401, -2015, 'auth'],
  [400, -1003, 'rate_limited'],
  [400, -1015, 'rate_limited'],
  [400, -1000, 'unavailable'],
  [400, -1001, 'unavailable'],
])('failureOf() maps Binance HTTP %i with code %i to %s', async (status, code, expected) => {
  expect(await refusal(status, code)).toBe(expected);
});

it('failureOf() maps an unknown Binance error to malformed, and quotes the beginning of the answer', async () => {
  const ccxt = library.create({});
  const body = JSON.stringify({ code: -9999, msg: `odd ${'x'.repeat(500)}` });
  ccxt.fetchImplementation = async () => new Response(body, { status: 200 });
  const failure = await ccxt
    .fetchTime()
    .then(() => null)
    .catch((error) => library.failureOf(error, 'clock'));
  expect(failure).toMatchObject({ code: 'malformed', target: 'clock' });
  expect(failure?.message).toMatch(/^binance \{"code":-9999,"msg":"odd x+…$/);
  expect(failure?.message.length).toBeLessThan(110);
});
