import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Schemas, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { type CompanyFile, readFolder, writeFolder } from '../company-folder.js';
import { CommandError, EXIT } from '../failure.js';
import { print, printFields, printJson } from '../output.js';
import { findCompany, openConnection } from '../service.js';

export function addFiles(program: Command): void {
  program
    .command('export')
    .description('write a company as Markdown files, for Git or another installation')
    .argument('<company>', 'name, prefix or id')
    .argument('<folder>', 'an empty folder, or an earlier export')
    .option('--issues', 'also the issues with their documents and comments')
    .action(async (wanted: string, folder: string, { issues }, command: Command) => {
      const { client, isJson } = openConnection(command);
      const companyId = await findCompany(client, wanted);
      const query = issues ? { include: 'issues' as const } : {};
      const stream = await unwrap(
        client.GET('/api/companies/{companyId}/export', {
          params: { path: { companyId }, query },
          parseAs: 'stream',
        }),
      );
      const { written, removed } = await writeFolder(
        folder,
        readLines(stream),
        issues ? null : 'issues/',
      );
      printFields({ folder, written, removed }, isJson);
    });
  program
    .command('import')
    .description('create and change what the files of an export describe')
    .argument('<folder>', 'an export, possibly edited')
    .option('--plan', 'only show what would change')
    .option('--activate', 'start new agents and routines, which otherwise arrive paused')
    .action(async (folder: string, { plan, activate }, command: Command) => {
      const { client, company, isJson } = openConnection(command);
      const files = await readFolder(folder);
      const report = await unwrap(
        client.POST('/api/companies/{companyId}/import', {
          params: { path: { companyId: await company() } },
          body: { files, plan: plan === true, activate: activate === true },
        }),
      );
      if (isJson) printJson(report);
      else showReport(report);
      if (report.refused.length > 0) {
        throw new CommandError('An import would be refused.', EXIT.refused);
      }
    });
}

function showReport({ applied, created, changed, unchanged, refused }: Schemas['ImportReport']) {
  for (const path of created) print(`create  ${path}`);
  for (const { path, changes } of changed) {
    print(`change  ${path}`);
    for (const { field, from, to } of changes) {
      print(`        ${field}: ${shown(from)} -> ${shown(to)}`);
    }
  }
  for (const { path, field, message } of refused) {
    print(`refuse  ${path}${field === null ? '' : `, ${field}`}: ${message}`);
  }
  const verb = applied ? 'imported' : 'planned';
  print(`${verb}: ${created.length} new, ${changed.length} changed, ${unchanged} unchanged`);
}

const SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

async function* readLines(stream: unknown): AsyncGenerator<CompanyFile> {
  const input = Readable.fromWeb(stream as ReadableStream);
  for await (const line of createInterface({ input })) yield JSON.parse(line);
}
