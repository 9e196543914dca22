import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPage } from '../page';
import { follow, newCompany, newIssue, type Trial } from '../trial';

const PAGE = openPage('packages/client/README.md');

export function clientInAnotherProject(trial: Trial): void {
  let project: string;

  follow(
    PAGE,
    'The package is not published. Pack it in this repository, and install the file in your project:',
    async () => {
      project = join(trial.clone.folder, '../my-project');
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{"name":"my-project","private":true}');
      await trial.clone.paste(PAGE.block('npm pack ./packages/client'), { TMPDIR: '/tmp' });
    },
  );

  follow(PAGE, 'In a project without the library `DOM`, install `@types/node`.', async () => {
    const words = 'npm install --save-dev typescript@5 @types/node@20 && npm pkg set type=module';
    await trial.clone.paste(words, {}, project);
  });

  follow(PAGE, 'The examples await at the top level', async () => {
    const companyId = await newCompany(trial, 'Client');
    const agent = await trial.board.ask('POST', `/api/companies/${companyId}/agents`, {
      name: 'Ada',
      adapterType: 'process',
      adapterConfig: { command: 'true' },
    });
    const issueId = await newIssue(trial, companyId);
    const run = await trial.board.ask('POST', `/api/agents/${agent.id}/heartbeat/invoke`, {});
    const given = { companyId, agentId: agent.id, issueId, runId: run.id };
    const examples = [PAGE.block('import { createClient, RefusedError'), PAGE.block('listAll')];
    const events = examples[1]?.indexOf('// From now on') ?? -1;
    const program = [
      ...Object.entries(given).map(([name, value]) => `const ${name} = '${value}';`),
      examples[0]?.replace('http://127.0.0.1:3100', trial.board.base),
      examples[1]?.slice(0, events),
      'console.log(JSON.stringify({ listed: data?.length, issue: issue.status, run: run.status }));',
      'if (error) console.error(error, response.status);',
    ].join('\n');
    await writeFile(join(project, 'report.ts'), program.replace(', followActivity', ''));
    const compile = 'npx tsc --strict --target es2022 --module nodenext --types node report.ts';
    const printed = await trial.clone.paste(`${compile}\nnode report.js`, {}, project);
    expect(JSON.parse(printed.trim().split('\n').at(-1) as string)).toEqual({
      listed: 1,
      issue: 'in_progress',
      run: 'succeeded',
    });
  });
}
