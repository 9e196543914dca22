import path from 'node:path';
import { end } from '../process/end.mjs';
import { ORDER, together } from '../process/life.mjs';
import { readJson, writeJson } from '../process/lock.mjs';
import { isSame } from '../process/table.mjs';
import { notice, step } from '../terminal/steps.mjs';
import { newChild } from './child.mjs';
import { untilReady } from './ready.mjs';

const listFile = ({ runDir }) => path.join(runDir, 'processes.json');

/** Services that outlived a killed launcher hold ports and would work twice. */
export async function stopLeftovers(settings) {
  const left = (readJson(listFile(settings)) ?? []).filter(isSame);
  if (left.length === 0) return;
  const names = left.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
  notice(`stopping what an earlier start left behind: ${names}`);
  await Promise.all(left.map(({ pid }) => end(pid)));
}

export async function startServices(life, settings, definitions) {
  const children = [];
  const record = () => {
    const alive = children.filter(({ state }) => state.pid);
    const list = alive.map(({ definition: { name }, state: { pid, started } }) => ({
      name,
      pid,
      started,
    }));
    try {
      writeJson(listFile(settings), list);
    } catch (error) {
      // A note for the next start; a full disk must not end this one.
      notice(`${listFile(settings)} cannot be written (${error.code})`);
    }
  };
  life.onEnd(ORDER.services, () => Promise.all(children.map((child) => child.stop())));
  await step('start api, worker and metrics', async () => {
    for (const definition of definitions) {
      const child = newChild(definition, { signal: life.stop, now: life.now, onChange: record });
      children.push(child);
      child.launch();
    }
    await together(
      life,
      children.map((child) => untilReady(child, children, life.stop)),
    );
    return { text: 'api, worker and metrics answer' };
  });
  return children;
}
