import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { createMarkets } = require('@switchyard/testing/exchange-sim/market');
const { DIALECTS, startExchangeSim } = require('@switchyard/testing/exchange-sim/server');

let aheadMs = 0;
let reported = 0;
const { dialect, latencyMs, markets } = JSON.parse(process.argv[2]);
const sim = await startExchangeSim({
  ...{ seed: 7, latencyMs, listed: markets },
  dialect: DIALECTS[dialect],
  now: () => Date.now() + aheadMs,
});
process.on('message', (message) => {
  aheadMs = message.aheadMs;
  const asked = sim.asked.length - reported;
  reported = sim.asked.length;
  process.send({ asked });
});
process.on('disconnect', () => process.exit());
const { apiKey, secret } = sim.account;
const symbols = createMarkets(7, markets).map(({ symbol }) => symbol);
process.send({ url: sim.url, apiKey, secret, symbols });
