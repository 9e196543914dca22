import { listAll, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from '../collect.js';
import { printFields, printTable } from '../output.js';
import { findRoutine, openConnection } from '../service.js';

export function addRoutines(program: Command): void {
  const routine = program.command('routine').description('routines of the company');
  routine
    .command('list')
    .description('list routines')
    .action(async (_options, command: Command) => {
      const { client, isJson, company } = openConnection(command);
      const params = { path: { companyId: await company() } };
      const path = '/api/companies/{companyId}/routines';
      printTable(
        await collect(listAll(client, path, { params })),
        [
          ['title', (row) => row.title],
          ['status', (row) => row.status],
          ['agent', (row) => row.assigneeName],
          ['next', (row) => row.nextRunAt],
          ['last', (row) => row.lastRun?.status],
        ],
        isJson,
      );
    });
  routine
    .command('run')
    .description('run a routine now')
    .argument('<routine>', 'title or id')
    .action(async (wanted: string, _options, command: Command) => {
      const service = openConnection(command);
      const { id: routineId } = await findRoutine(service, wanted);
      const run = await unwrap(
        service.client.POST('/api/routines/{routineId}/run', {
          params: { path: { routineId } },
          body: { source: 'manual' },
        }),
      );
      const { id, status, linkedIssueId, heartbeatRunId, failureReason } = run;
      const fields = {
        firing: id,
        status,
        issue: linkedIssueId,
        run: heartbeatRunId,
        failureReason,
      };
      printFields(fields, service.isJson, run);
    });
}
