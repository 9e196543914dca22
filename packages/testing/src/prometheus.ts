import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LRParser } from '@lezer/lr';
import { parse as parseYaml } from 'yaml';
import { freePort } from './free-port';

/** The package's types declare an ES module, but the loaded file is CommonJS. */
const { parser } = require('@prometheus-io/lezer-promql') as { parser: LRParser };

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Metric {
  name: string;
  type: string;
  samples: Sample[];
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function readPage(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  let current: Metric | undefined;
  for (const line of text.split('\n')) {
    const [, word, name = '', type = ''] = /^# (TYPE|HELP) (\S+) ?(.*)$/.exec(line) ?? [];
    if (word === 'TYPE') {
      current = { name, type, samples: [] };
      metrics.set(name, current);
    }
    if (line === '' || line.startsWith('#')) continue;
    const [, sample, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (!sample || !current || !sample.startsWith(current.name))
      throw new Error(`unexpected line in the metrics: ${line}`);
    const pairs = [...labels.matchAll(LABEL)].map(([, key, text]) => [key, text]);
    current.samples.push({ name: sample, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return metrics;
}

export interface Documented {
  name: string;
  type: string;
  labels: string[];
}

const ENTRY = /^- `(\w+)`(?: \(([^)]*)\))?: /gm;

export function documentedMetrics(markdown: string, prefix: string): Documented[] {
  return [...markdown.matchAll(ENTRY)]
    .map(([, name = '', notes = '']) => ({
      name,
      type: typeOf(name, notes),
      labels: [...notes.matchAll(/`(\w+)`/g)].map((match) => match[1] as string),
    }))
    .filter(({ name }) => name.startsWith(`${prefix}_`));
}

function typeOf(name: string, notes: string): string {
  if (notes.startsWith('histogram')) return 'histogram';
  return name.endsWith('_total') ? 'counter' : 'gauge';
}

const OF_A_HISTOGRAM = ['le'];

export function documentationFaults(
  documented: Documented[],
  page: Map<string, Metric>,
  prefix: string,
): string[] {
  const known = new Map(documented.map((row) => [row.name, row]));
  const undocumented = [...page.keys()].filter(
    (name) => name.startsWith(`${prefix}_`) && !known.has(name),
  );
  const different = documented.flatMap(({ name, type, labels }) => {
    const metric = page.get(name);
    const sample = metric?.samples[0];
    if (!metric || !sample) return [`${name} is documented but does not appear`];
    const shown = Object.keys(sample.labels).filter((label) => !OF_A_HISTOGRAM.includes(label));
    return [
      ...(metric.type === type ? [] : [`${name} is a ${metric.type}`]),
      ...(shown.sort().join() === [...labels].sort().join() ? [] : [`${name} has ${shown}`]),
    ];
  });
  return [...undocumented.map((name) => `${name} is not documented`), ...different];
}

export interface AlertRule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook_url: string };
}

const MONITORING = join(__dirname, '../../../k8s/components/prometheus');

export function readAlertRules(group: 'switchyard' | 'marketmetrics'): AlertRule[] {
  const { spec } = parseYaml(readFileSync(join(MONITORING, 'rules.yaml'), 'utf8')) as {
    spec: { groups: { name: string; rules: AlertRule[] }[] };
  };
  return spec.groups.filter(({ name }) => name === group).flatMap(({ rules }) => rules);
}

/**
 * Writes the alert rule file as docs/metrics.md describes for Prometheus without the operator.
 * Returns its path.
 */
export function writeRuleFile(folder: string): string {
  const file = join(folder, 'alert-rules.yml');
  const rules = join(MONITORING, 'rules.yaml');
  writeFileSync(file, execFileSync('sed', ['1,/^spec:/d; s/^  //', rules]));
  return file;
}

/** Runs rule tests in promtool. Returns the failures; none if promtool is not installed. */
export async function ruleFailures(tests: string): Promise<string> {
  const { TEST_PROMTOOL: promtool } = process.env;
  if (!promtool) {
    process.stderr.write('not tried: promtool is not installed, so alert rules are not tested\n');
    return '';
  }
  return promisify(execFile)(promtool, ['test', 'rules', tests]).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

export function readDashboard(service: 'orchestration' | 'metrics'): string[] {
  const file = join(MONITORING, 'dashboards', `${service}.json`);
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

export function metricsOf(expr: string): string[] {
  const names: string[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`invalid PromQL at offset ${node.from}: ${expr}`);
      const isName = node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector';
      if (isName) names.push(expr.slice(node.from, node.to));
    },
  });
  return names;
}

const OF_HISTOGRAMS = /_(bucket|sum|count)$/;

export function unknownMetrics(expressions: string[], page: Map<string, Metric>): string[] {
  return expressions.flatMap(metricsOf).filter((name) => {
    const plain = name.replace(OF_HISTOGRAMS, '');
    return !page.has(name) && page.get(plain)?.type !== 'histogram';
  });
}

const RUNBOOK_URL = 'https://switchyard.example.com/docs/runbook.md';

export function missingEntries(rules: AlertRule[], runbook: string): string[] {
  const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replace(/ /g, '-'),
  );
  return rules
    .filter(({ alert, annotations }) => {
      const [file, anchor] = (annotations.runbook_url ?? '').split('#');
      const isIts = anchor === alert.toLowerCase() && file === RUNBOOK_URL;
      return !isIts || !headings.includes(anchor);
    })
    .map(({ alert }) => alert);
}

const SIMPLE = /^(max|sum)(?: by \(([\w, ]+)\))? ?\((\w+)\) (>|==) (\d+)$/;

/**
 * Evaluates a rule's expression for the metrics of one namespace. Supports only `max` or `sum` of
 * one metric against a number.
 */
export function holds(expr: string, pages: Map<string, Metric>[]): boolean {
  const [, by, labels = 'namespace', name = '', operator, limit] = SIMPLE.exec(expr) ?? [];
  const isKnown = by === 'max' ? operator === '>' || labels === 'namespace' : by === 'sum';
  if (!isKnown || (by === 'sum' && labels !== 'namespace')) {
    throw new Error(`only a Prometheus server can evaluate ${expr}`);
  }
  const values = pages.flatMap((page) => (page.get(name)?.samples ?? []).map(({ value }) => value));
  if (values.length === 0) return false;
  const value = by === 'max' ? Math.max(...values) : values.reduce((sum, each) => sum + each, 0);
  return operator === '>' ? value > Number(limit) : value === Number(limit);
}

interface Alert {
  labels: Record<string, string>;
  state: 'pending' | 'firing';
}

/**
 * Starts the Prometheus server that is installed with promtool. It reads a service every second
 * and evaluates the shipped alert rules. Null if promtool is not installed.
 */
export async function startPrometheus(folder: string, target: string) {
  const { TEST_PROMTOOL: promtool } = process.env;
  if (!promtool) {
    process.stderr.write('not tried: Prometheus is not installed, so no server evaluates alerts\n');
    return null;
  }
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [writeRuleFile(folder)],
    scrape_configs: [{ job_name: 'service', static_configs: [{ targets: [target] }] }],
  };
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const server = spawn(
    join(promtool, '../prometheus'),
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const read = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://${address}/api/v1/${path}`);
    return ((await response.json()) as { data: Data }).data;
  };
  return {
    rules: async (): Promise<Record<string, string>> => {
      const { groups } = await read<{
        groups: { rules: { name: string; health: string; lastError?: string }[] }[];
      }>('rules').catch(() => ({ groups: [] }));
      const all = groups.flatMap(({ rules }) => rules);
      return Object.fromEntries(
        all.map(({ name, health, lastError = '' }) => [name, health + lastError]),
      );
    },
    alerts: async () => (await read<{ alerts: Alert[] }>('alerts')).alerts,
    close: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
