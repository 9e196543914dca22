import { LINEAR, timesLonger } from '@switchyard/testing';
import type { RunFacts, WakeFacts } from '../../agent-adapter';
import { codingAgentConfig } from '../coding-agent-config';
import { fillTemplate, PLACEHOLDER_NAMES } from './fill-template';

const facts: RunFacts = {
  agent: { name: 'Ada', role: 'engineer', title: 'Lead', capabilities: 'Writes Rust.' },
  company: { name: 'Acme' },
  issue: {
    identifier: 'ACM-1',
    title: 'Say {{agent.name}}',
    status: 'todo',
    priority: 'high',
    description: 'With {{rules}} and {{nothing}}.',
  },
  wakes: [
    {
      source: 'mention',
      reason: 'asked',
      issue: null,
      comment: 'please look',
      author: null,
      payload: null,
    },
  ],
  moreWakes: 0,
};
const environment = { SERVICE_ISSUE_ID: 'an-id', SERVICE_WAKE_REASON: 'asked' };
const fill = (template?: string, input: Partial<RunFacts> = {}) =>
  fillTemplate(template, { facts: { ...facts, ...input }, environment });

describe('fillTemplate()', () => {
  it('describes the agent, the wakes, the issue and the API', () => {
    const prompt = fill();
    expect(prompt).toMatch(/^You are Ada, Lead \(engineer\) of the company Acme\.\nWrites Rust\./);
    expect(prompt).toContain('- mention: asked\n  "please look"');
    expect(prompt).toContain('ACM-1: Say {{agent.name}}');
    expect(prompt).toContain('never retry it');
    expect(prompt).toContain('/api/agent-guide');
    expect(prompt).not.toMatch(/\n{3}|only critical work/);
  });

  it('fills in placeholders once, even if a value contains a placeholder', () => {
    expect(fill('{{ issue.title }}|{{issue.description}}|{{wake.reason}}')).toBe(
      'Say {{agent.name}}|With {{rules}} and {{nothing}}.|asked',
    );
    expect(fill('Be brief.\n{{default}}')).toBe(`Be brief.\n${fill()}`);
    expect(fill('{{issue}}', { issue: null })).toContain('No issue was named');
  });

  it('refers to the other issues if wakes of several issues are combined', () => {
    const [wake] = facts.wakes as [WakeFacts];
    const of = (identifier: string) => ({
      ...wake,
      issue: { id: identifier, identifier, title: 'Another', status: 'todo' },
    });
    const READ_OTHERS = 'This is the issue of one of your wakes.';
    expect(fill(undefined, { wakes: [of('ACM-1'), wake] })).not.toContain(READ_OTHERS);
    const prompt = fill(undefined, { wakes: [of('ACM-1'), of('ACM-2')] });
    expect(prompt).toContain(READ_OTHERS);
    expect(prompt).toContain('ACM-2: Another');
  });

  it('warns about a spent budget and truncates long texts', () => {
    const input = { facts, environment: { SERVICE_BUDGET_ALERT: 'agent' } };
    expect(fillTemplate(undefined, input)).toContain('do only critical work');
    const issue = { ...facts.issue!, description: 'x'.repeat(100_000) };
    expect(fill(undefined, { issue }).length).toBeLessThan(30_000);
  });

  it('processes a template of braces and spaces in linear time', () => {
    for (const part of ['{{', ' ', '{{ ', '{ ', 'x ']) {
      const read = (size: number) => {
        const template = `{{${part.repeat(Math.floor(size / part.length))}`;
        expect(codingAgentConfig.safeParse({ promptTemplate: template }).success).toBe(true);
        fill(template);
      };
      expect(timesLonger(read, 99_000)).toBeLessThan(LINEAR);
    }
  });

  it('codingAgentConfig rejects unknown placeholders with an error that names the placeholders', () => {
    const parse = (promptTemplate: string) => codingAgentConfig.safeParse({ promptTemplate });
    const all = PLACEHOLDER_NAMES.map((name) => `{{${name}}}`).join(' ');
    expect(parse(`${all} {not one} {{{{`).success).toBe(true);
    const { error } = parse('{{agent.nmae}} {{constructor}} {{}}');
    expect(error?.issues.map(({ message }) => message.split(';')[0])).toEqual([
      'unknown placeholder {{agent.nmae}}',
      'unknown placeholder {{constructor}}',
      'unknown placeholder {{}}',
    ]);
  });
});
