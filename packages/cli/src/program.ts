import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addAgentDev } from './commands/agent-dev.js';
import { addAgents } from './commands/agents.js';
import { addBoard } from './commands/board.js';
import { addCompanies } from './commands/companies.js';
import { addFiles } from './commands/files.js';
import { addIssues } from './commands/issues.js';
import { addLimits } from './commands/limits.js';
import { addLogin } from './commands/login.js';
import { addMcp } from './commands/mcp.js';
import { addRoutines } from './commands/routines.js';
import { addRuns } from './commands/runs.js';
import { addWhy } from './commands/why.js';

export function createProgram(version: string, help = ''): Command {
  const program = new Command('switchyard')
    .description('Directs a company of agents from a terminal.')
    .version(version)
    .option('--url <url>', 'address of the service (SWITCHYARD_URL)')
    .option('--company <company>', 'name, prefix or id (SWITCHYARD_COMPANY)')
    .option('--json', 'print JSON')
    .showHelpAfterError()
    .exitOverride()
    .addHelpText('after', `${help}${HELP}`);
  addLogin(program);
  addCompanies(program);
  addAgentDev(addAgents(program));
  addIssues(program);
  addRuns(program);
  addRoutines(program);
  addLimits(program);
  addWhy(program);
  addBoard(program);
  addFiles(program);
  addMcp(program);
  tab(program);
  for (const command of program.commands) {
    for (const each of [command, ...command.commands]) each.exitOverride().showHelpAfterError();
  }
  return program;
}

const HELP = `
The token is SWITCHYARD_TOKEN, or else the token that "login" saved. Inside a run without SWITCHYARD_TOKEN, the token, the address and the company of the run are used.
Exit codes: 0 success, 1 the awaited run or issue failed, 2 wrong usage, 3 refused by the service, 4 the service cannot be reached.
Completion: switchyard complete bash | zsh | fish | powershell`;
