import { dirname, join } from 'node:path';
import { installTool } from '../rehearsal/install-tool';
import { freshClone } from './clone';
import type { Trial } from './trial';
import { pythonAndShell } from './trials/agents';
import { claudeCode } from './trials/claude';
import { clientInAnotherProject } from './trials/client';
import { externalAndAsynchronous } from './trials/elsewhere';
import { boardOperator } from './trials/operator';
import { startAndStory } from './trials/start';

/**
 * First uses, by the documents alone: each step is a sentence or a block of a page, and does what is printed there, in a
 * fresh clone with an empty home.
 */
describe('a newcomer', () => {
  const trial = {} as Trial;
  beforeAll(async () => {
    trial.clone = await freshClone([dirname(await installTool('claude'))]);
    trial.programs = join(trial.clone.home, 'agents');
  }, 660_000);
  afterAll(() => trial.clone?.remove(), 660_000);

  describe('starts it', () => startAndStory(trial));
  describe('writes agents in Python and shell', () => pythonAndShell(trial));
  describe('has agents that work elsewhere', () => externalAndAsynchronous(trial));
  describe('uses Claude Code', () => claudeCode(trial));
  describe('uses the client in another project', () => clientInAnotherProject(trial));
  // Last: it ends local mode.
  describe('directs a company, without sign-in and with it', () => boardOperator(trial));
});
