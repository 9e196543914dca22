import type { Manifest } from './manifest';

export function summary(done: 'wrote' | 'restored', folder: string, manifest: Manifest): string {
  const { databases, files, masterKeyIds } = manifest;
  const rowsOf = ({ tables, schema }: Manifest['databases']['metrics']) =>
    `${tables.reduce((sum, table) => sum + table.rows, 0)} rows at ${schema}`;
  const lines = [
    `${done} ${folder}`,
    `  orchestration  ${rowsOf(databases.orchestration)}`,
    `  metrics        ${rowsOf(databases.metrics)}`,
    `  files          ${files.count} of ${files.bytes} bytes`,
  ];
  if (files.lacking.length > 0) {
    lines.push(
      `  MISSING        ${files.lacking.length} files: removed during the backup, or lost`,
    );
  }
  if (masterKeyIds.length > 0) {
    lines.push(
      `  master key     ${masterKeyIds.join(', ')} (not in the backup; required to restore it)`,
    );
  }
  return `${lines.join('\n')}\n`;
}
