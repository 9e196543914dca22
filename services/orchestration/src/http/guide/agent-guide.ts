import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { OrchestrationRoute } from '../../route';
import {
  BODIES_OF_AGENTS,
  CALLS_OF_PAGES,
  ESSENTIALS,
  EXAMPLES,
  type Example,
  GUIDE_EDITION,
  RULES,
} from './guide-texts';

export interface AgentGuide {
  version: string;
  markdown: string;
}

export function isForAgents({ access }: Pick<OrchestrationRoute, 'access'>): boolean {
  return access === 'agent' || access === 'agent-or-board';
}

const isTaught = (route: OrchestrationRoute) =>
  isForAgents(route) && !CALLS_OF_PAGES.includes(route.operation);

interface Fields {
  required?: string[];
  properties?: Record<string, unknown>;
}

const fieldsOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Fields;

const PAGING = ['limit', 'cursor'];
const quoted = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');

function fieldsOfAgents({ body, operation }: OrchestrationRoute): string[] {
  const all = body ? Object.keys(fieldsOf(body).properties ?? {}) : [];
  return [...(BODIES_OF_AGENTS[operation]?.allowed ?? all)];
}

function bodyOf(route: OrchestrationRoute, above: string[]): string {
  const { body, read, operation } = route;
  if (read) return ' Body: one file, multipart/form-data.';
  if (!body) return '';
  const { required: always = [] } = fieldsOf(body);
  const { needed = [] } = BODIES_OF_AGENTS[operation] ?? {};
  const allowed = fieldsOfAgents(route);
  const required = allowed.filter((name) => always.includes(name) || needed.includes(name));
  const optional = allowed.filter((name) => !required.includes(name));
  if (above.length > 1 && above.every((name) => optional.includes(name))) {
    const further = optional.filter((name) => !above.includes(name));
    return ` Body, any of the same${further.length > 0 ? `, and ${further.join(', ')}` : ''}.`;
  }
  const parts = [
    ...(required.length > 0 ? [`Body: ${quoted(required)}`] : []),
    ...(optional.length > 0
      ? [`${required.length > 0 ? 'optional' : 'Body, any of'}: ${optional.join(', ')}`]
      : []),
  ];
  return parts.length > 0 ? ` ${parts.join('; ')}.` : '';
}

function queryOf({ query }: OrchestrationRoute): string {
  if (!query) return '';
  const names = Object.keys(fieldsOf(query).properties ?? {});
  const own = names.filter((name) => !PAGING.includes(name));
  return own.length > 0 ? ` Query: ${own.join(', ')}.` : '';
}

const SAID_BY_PATH =
  /^(List|Read) (?:an?|the) [a-z]+(?: [a-z]+)?(?: (?:of|on|from) (?:an?|its) [a-z]+| by [A-Za-z ]+)?$/;

function lineOf(route: OrchestrationRoute, above: string[]): string {
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const own = route.errors?.includes('not_own') ? ' Your own only.' : '';
  const summary = route.summary.replace(/\.$/, '').replace(SAID_BY_PATH, '$1');
  return `- \`${route.method} ${path}\` ${summary}.${bodyOf(route, above)}${queryOf(route)}${own}`;
}

function exampleOf({ title, method, path, body }: Example): string {
  return `${title}:\n\n\`\`\`\n${method} ${path}\n${JSON.stringify(body)}\n\`\`\``;
}

function chaptersOf(routes: readonly OrchestrationRoute[]): string[] {
  const chapters = new Map<string, { lines: string[]; above: string[]; query: string }>();
  for (const route of routes) {
    const tag = route.tag ?? 'More';
    const chapter = chapters.get(tag) ?? { lines: [], above: [], query: '' };
    const query = queryOf(route);
    const line = lineOf(route, chapter.above);
    const isSame = query !== '' && query === chapter.query && query.includes(',');
    chapter.lines.push(isSame ? line.replace(query, ' Same query.') : line);
    chapter.query = query;
    if (route.body) chapter.above = fieldsOfAgents(route);
    chapters.set(tag, chapter);
  }
  return [...chapters].map(([tag, { lines }]) => `### ${tag}\n\n${lines.join('\n')}`);
}

const list = (lines: readonly string[], mark: (at: number) => string) =>
  lines.map((line, at) => `${mark(at)} ${line}`).join('\n');

export function agentGuide(routes: readonly OrchestrationRoute[]): AgentGuide {
  const content = [
    `## Essentials\n\n${list(ESSENTIALS, (at) => `${at + 1}.`)}`,
    `## Rules\n\n${list(RULES, () => '-')}`,
    `## Examples\n\n${EXAMPLES.map(exampleOf).join('\n\n')}`,
    `## Calls\n\nBody fields in code are required. Schemas, and calls made for pages: \`GET /api/openapi.json\`.`,
    ...chaptersOf(routes.filter(isTaught)),
  ].join('\n\n');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const version = `${GUIDE_EDITION}-${hash}`;
  return { version, markdown: `# Guide for agents\n\nVersion: ${version}\n\n${content}\n` };
}
