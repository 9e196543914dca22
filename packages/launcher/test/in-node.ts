import { execFileSync } from 'node:child_process';
import path from 'node:path';

const packages = path.resolve(__dirname, '../..');

/**
 * Runs code in a separate Node.js process, because jest's CommonJS cannot import the launcher's ES
 * modules.
 */
export function inNode(imports: Record<string, string>, body: string): unknown {
  const lines = Object.entries(imports).map(
    ([file, names]) => `import { ${names} } from ${JSON.stringify(path.join(packages, file))};`,
  );
  const code = `${lines.join('\n')}\nconst answer = await (async () => {${body}})();
    console.log('\\n' + JSON.stringify(answer ?? null)); process.exit(0);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? 'null');
}
