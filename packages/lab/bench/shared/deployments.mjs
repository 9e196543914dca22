import { forgetKeys } from './processes.mjs';
import { scratchDatabase } from './scratch.mjs';
import { startProduct } from './targets.mjs';

/**
 * Starts the product, and the previous checkout if there is one, each with a separate database and
 * Redis prefix. With a shared queue, the workers of both checkouts would take each other's runs.
 */
export async function startDeployments(serverUrl, label, options, settings, onEnd) {
  const deployments = [];
  for (const name of options.before ? ['own', 'before'] : ['own']) {
    const prefix = `bench${process.pid}${name}`;
    onEnd(() => forgetKeys(prefix));
    const checkout = name === 'own' ? undefined : options.before;
    const database = await scratchDatabase(serverUrl, `${label}_${name}`, { checkout });
    onEnd(() => database.drop());
    const pool = database.open();
    onEnd(() => pool.end());
    const product = await startProduct(name, database.url, prefix, { checkout, settings });
    onEnd(() => product.stop());
    deployments.push({ ...product, api: `${product.url}/api`, prefix, checkout, database, pool });
  }
  return deployments;
}
