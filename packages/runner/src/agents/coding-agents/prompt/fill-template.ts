import type { RunFacts } from '../../agent-adapter';
import { cut } from './cut';
import { CALLS, RULES_OF_WORK } from './skill';
import { wakeText } from './wake-text';

export interface PromptInput {
  facts: RunFacts;
  environment: Readonly<Record<string, string>>;
}

function issueText({ facts, environment }: PromptInput): string {
  const { issue } = facts;
  if (!issue) {
    return 'No issue was named. Look at the issues assigned to you and take the most urgent one.';
  }
  const { identifier, title, status, priority, description } = issue;
  const id = environment.SERVICE_ISSUE_ID ?? identifier;
  const text = description?.trim()
    ? cut(description, `GET /api/issues/${id}`)
    : '(It has no description.)';
  const isOneOfSeveral = facts.wakes.some(({ issue: of }) => of && of.identifier !== identifier);
  const others = isOneOfSeveral ? `\n\n${READ_OTHERS}` : '';
  return `${identifier}: ${title}\nStatus: ${status}. Priority: ${priority}. Id: ${id}\n\n${text}${others}`;
}

const READ_OTHERS =
  'This is the issue of one of your wakes. Read the issues of the other wakes with GET /issues/{id} first.';

function budgetText({ environment }: PromptInput): string {
  const alert = environment.SERVICE_BUDGET_ALERT;
  return alert
    ? `At least 80 % of a monthly budget is spent (${alert}): do only critical work.`
    : '';
}

const PLACEHOLDERS: Record<string, (input: PromptInput) => string> = {
  'agent.name': ({ facts }) => facts.agent.name,
  'agent.role': ({ facts }) => facts.agent.role,
  'agent.title': ({ facts }) => facts.agent.title ?? facts.agent.role,
  'agent.capabilities': ({ facts }) => facts.agent.capabilities ?? '',
  'company.name': ({ facts }) => facts.company.name,
  'wake.reason': ({ environment }) => environment.SERVICE_WAKE_REASON ?? '',
  'wake.all': ({ facts }) => wakeText(facts),
  issue: issueText,
  'issue.identifier': ({ facts }) => facts.issue?.identifier ?? '',
  'issue.title': ({ facts }) => facts.issue?.title ?? '',
  'issue.description': ({ facts }) => facts.issue?.description ?? '',
  budget: budgetText,
  api: () => CALLS,
  rules: () => RULES_OF_WORK,
};

export const PLACEHOLDER_NAMES: readonly string[] = [...Object.keys(PLACEHOLDERS), 'default'];

/**
 * The name includes surrounding spaces, which are trimmed later: a pattern that skips them would
 * backtrack.
 */
const PLACEHOLDER = /\{\{([^{}]{0,300})\}\}/g;

export function findUnknownPlaceholders(template: string): string[] {
  const names = [...template.matchAll(PLACEHOLDER)].map((match) => (match[1] as string).trim());
  return [...new Set(names.filter((name) => !PLACEHOLDER_NAMES.includes(name)))].slice(0, 10);
}

function fill(template: string, textOf: (name: string) => string): string {
  return template
    .replace(PLACEHOLDER, (_, name: string) => textOf(name.trim()))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export function fillTemplate(template: string | undefined, input: PromptInput): string {
  const known = (name: string) => PLACEHOLDERS[name]?.(input) ?? '';
  const standard = () => fill(DEFAULT_PROMPT, known);
  if (template === undefined) return standard();
  return fill(template, (name) => (name === 'default' ? standard() : known(name)));
}

const DEFAULT_PROMPT = `You are {{agent.name}}, {{agent.title}} ({{agent.role}}) of the company {{company.name}}.
{{agent.capabilities}}

You are an autonomous agent. You have been woken for one turn of work. During this turn, no one answers questions.

# Why you were woken
{{wake.all}}

# The issue
{{issue}}

# The API
{{api}}

# Rules
{{rules}}

{{budget}}`;
