import { dirname, join } from 'node:path';
import { ANTHROPIC_MESSAGES } from '@switchyard/orchestration/test/providers/anthropic-messages';
import {
  PROVIDER_HOST,
  serveProvider,
} from '@switchyard/orchestration/test/providers/serve-provider';
import { installTool } from '../coding-agents/install-tool';
import { freshClone } from './clone';
import type { Trial } from './trial';
import { pythonAndShell } from './trials/agents';
import { claudeCode } from './trials/claude';
import { clientInAnotherProject } from './trials/client';
import { externalAndAsynchronous } from './trials/elsewhere';
import { boardOperator } from './trials/operator';
import { startAndStory } from './trials/start';

describe('a newcomer', () => {
  const trial = {} as Trial;
  beforeAll(async () => {
    trial.provider = await serveProvider(ANTHROPIC_MESSAGES, PROVIDER_HOST);
    const settings = { AGENT_ALLOWED_HOSTS: new URL(trial.provider.url).host };
    trial.clone = await freshClone([dirname(await installTool('claude'))], settings);
    trial.programs = join(trial.clone.home, 'agents');
  }, 660_000);
  afterAll(async () => {
    await trial.clone?.remove();
    await trial.provider?.close();
  }, 660_000);

  describe('starts Switchyard', () => startAndStory(trial));
  describe('writes agents in Python and shell', () => pythonAndShell(trial));
  describe('uses agents that run elsewhere', () => externalAndAsynchronous(trial));
  describe('uses Claude Code', () => claudeCode(trial));
  describe('uses the client in another project', () => clientInAnotherProject(trial));
  describe('directs a company in both modes', () => boardOperator(trial));
});
