import { main } from '@switchyard/server';
import { readSimConfig } from '../exchange-sim/config';
import { FAULTS } from '../exchange-sim/faults';
import { DIALECTS, startExchangeSim } from '../exchange-sim/server';

/** `exchange-sim [binance|kraken] [port]`: prints what to set so that the service talks to it. */
void main(async () => {
  const { name, port } = readSimConfig(process.argv.slice(2));
  const dialect = DIALECTS[name];
  if (!dialect)
    throw new Error(`unknown dialect ${name}: use ${Object.keys(DIALECTS).join(' or ')}`);
  const sim = await startExchangeSim({ dialect, seed: 7, port });
  const { apiKey, secret } = sim.account;
  process.stdout.write(
    `simulated ${name} at ${sim.url}; for the metrics service:\n` +
      `EXCHANGE_MODE=live EXCHANGE_ID=${name} EXCHANGE_BASE_URL=${sim.url} ` +
      `EXCHANGE_API_KEY=${apiKey} EXCHANGE_API_SECRET=${secret}\n` +
      `faults (${FAULTS.join(', ')}): curl -d '{"mode":"503"}' ${sim.url}/__fault\n` +
      `well again: curl -d '{"mode":null}' ${sim.url}/__fault\n`,
  );
});
