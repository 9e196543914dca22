import { FAULTS } from './faults';
import { DIALECTS, startExchangeSim } from './server';

/**
 * `exchange-sim [binance|bybit|coinbase|kraken|okx] [port]`: prints the settings that connect the
 * service to it.
 */
async function main([name = 'binance', port = '3290']: string[]): Promise<void> {
  const dialect = DIALECTS[name];
  if (!dialect)
    throw new Error(`unknown dialect ${name}: use ${Object.keys(DIALECTS).join(' or ')}`);
  if (!/^\d{1,5}$/.test(port)) throw new Error(`${port} is not a port`);
  const sim = await startExchangeSim({ dialect, seed: 7, port: Number(port) });
  const { apiKey, secret, password } = sim.account;
  process.stdout.write(
    `simulated ${name} at ${sim.url}; for the metrics service:\n` +
      `EXCHANGE_MODE=live EXCHANGE_ID=${name} EXCHANGE_BASE_URL=${sim.url} ` +
      `EXCHANGE_API_KEY=${apiKey} EXCHANGE_API_PASSWORD=${password} ` +
      `EXCHANGE_API_SECRET=${JSON.stringify(secret)}\n` +
      `faults (${FAULTS.join(', ')}): curl -d '{"mode":"503"}' ${sim.url}/__fault\n` +
      `healthy again: curl -d '{"mode":null}' ${sim.url}/__fault\n`,
  );
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
