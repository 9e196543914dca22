import { systemClock } from '@switchyard/async';
import { readEnvironment } from '@switchyard/server';
import { Registry } from 'prom-client';
import { checkExchange } from '../check-exchange';
import { exchangeCheckEnvironment, readExchangeConfig, untestedNote } from '../exchange/config';
import { createExchange } from '../exchange/create-exchange';
import { timeoutsOf } from '../market-settings';

async function main(): Promise<void> {
  const env = readEnvironment(exchangeCheckEnvironment, process.env);
  const { exchange: config, problem } = readExchangeConfig(env);
  if (problem !== null) throw new Error(problem);
  if (config.mode === 'simulated')
    throw new Error('EXCHANGE_MODE is simulated: set it to live or testnet');
  const { callTimeoutMs } = timeoutsOf(env);
  const exchange = createExchange({
    config,
    callTimeoutMs,
    clock: systemClock,
    registry: new Registry(),
  });
  const note = untestedNote(config);
  const checks = await checkExchange(exchange, env.METRICS_SYMBOLS.symbols, callTimeoutMs);
  const lines = checks.map(({ name, ok, text }) => `${ok ? '+' : '!'} ${name.padEnd(12)} ${text}`);
  process.stdout.write(`${[exchange.name, ...(note ? [`! ${note}`] : []), ...lines].join('\n')}\n`);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
