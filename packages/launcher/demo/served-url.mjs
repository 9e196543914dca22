import { readFile } from 'node:fs/promises';

/** Where the instance that `npm start` runs here is reached, else where it would be by default. */
export async function servedUrl() {
  const dataDir = process.env.DATA_DIR ?? '.data';
  try {
    const { urls } = JSON.parse(await readFile(`${dataDir}/run/launcher.json`, 'utf8'));
    return urls.board;
  } catch {
    return `http://127.0.0.1:${process.env.ORCHESTRATION_PORT ?? 3100}`;
  }
}
