import { Agent, get } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export function timed(url) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const ms = performance.now() - started;
        if (response.statusCode !== 200)
          reject(new Error(`${url}: ${response.statusCode} ${text}`));
        else resolve({ ms, rows: JSON.parse(text).length });
      });
    }).on('error', reject);
  });
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export async function explain(pool, { text, values }) {
  const { rows } = await pool.query({
    text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  });
  const root = rows[0]['QUERY PLAN'][0].Plan;
  const scans = new Set();
  const walk = (node) => {
    if (node['Actual Loops'] === 0) return;
    if (node['Index Name']) scans.add(node['Index Name']);
    else if (node['Node Type'] === 'Seq Scan') scans.add(`SEQ SCAN ${node['Relation Name']}`);
    for (const child of node.Plans ?? []) walk(child);
  };
  walk(root);
  return { scans: [...scans], pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'] };
}
