import { createHmac, randomUUID } from 'node:crypto';
import { buildCompany, post } from '../shared/build-company.mjs';
import { withCleanup } from '../shared/cleanup.mjs';
import { compareRows } from '../shared/compare.mjs';
import { startDeployments } from '../shared/deployments.mjs';
import { load } from '../shared/load.mjs';
import { openMachine } from '../shared/machine.mjs';
import { openReport } from '../shared/table.mjs';
import { startBare } from '../shared/targets.mjs';

const SETTINGS = { RATE_LIMIT_PER_CREDENTIAL: '0' };

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const targets = await startDeployments(serverUrl, 'webhooks', options, SETTINGS, onEnd);
    for (const target of targets) Object.assign(target, await makeTriggers(target));
    const [own] = targets;
    const bare = await startBare(own.database.url);
    onEnd(() => bare.stop());
    targets.push({ ...bare, coalesced: own.coalesced, enqueued: own.enqueued });
    const machine = await openMachine(own.pool);
    const report = await openReport({ name: 'webhooks', options, pool: own.pool });
    const beforeRow = async ({ kind }) => {
      if (kind !== 'enqueued') return;
      for (const target of targets) await target.addWorker?.();
    };
    await compareRows({
      what: 'webhook',
      rows: ROWS,
      targets,
      machine,
      report,
      options,
      beforeRow,
    });
    return true;
  });
}

async function makeTriggers(target) {
  const { routine } = await buildCompany(target.api);
  const trigger = async (concurrencyPolicy) => {
    const { id } = await routine({ concurrencyPolicy });
    const webhook = { kind: 'webhook', signingMode: 'hmac_sha256' };
    return post(`${target.api}/routines/${id}/triggers`, webhook);
  };
  const coalesced = await trigger('coalesce_if_active');
  const { path, ...request } = fire({ name: target.name, trigger: coalesced });
  const response = await fetch(`${target.url}${path}`, request);
  if (response.status !== 202) throw new Error(`the first call returned ${response.status}`);
  return { coalesced, enqueued: await trigger('always_enqueue') };
}

const row = (title, kind, connections) => ({
  title,
  kind,
  run: (target) => {
    const next = () => fire({ name: target.name, trigger: target[kind] });
    return load({ url: target.url, next, connections });
  },
});

const ROWS = [
  row('joins an existing run, 4 concurrent', 'coalesced', 4),
  row('joins an existing run, 16 concurrent', 'coalesced', 16),
  row('creates an issue and a run, 4 concurrent', 'enqueued', 4),
];

function fire({ name, trigger: { publicId, secret } }) {
  const body = JSON.stringify({ event: 'push', id: randomUUID(), text: 'x'.repeat(500) });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    path: name === 'bare' ? `/fire/${publicId}` : `/api/routine-triggers/public/${publicId}/fire`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-signature': `sha256=${signature}`,
      ...(name === 'bare' && { 'x-secret': secret }),
    },
    body,
  };
}
