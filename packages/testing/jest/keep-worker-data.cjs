/**
 * Replays the configuration message of jest-light-runner (up to 0.8.2) to listeners that are added
 * later. The runner sends the message once to all workers, when the first worker asks. A worker
 * that is still loading would miss it and wait forever.
 */
if (process.env.TINYPOOL_WORKER_ID) {
  let listens = false;
  let kept;
  process.on('newListener', (event) => {
    if (event !== 'message') return;
    if (kept) setImmediate(() => process.emit('message', kept));
    if (listens) return;
    listens = true;
    process.on('message', (message) => {
      if (message?.type === 'jest-light-runner-worker-data') kept = message;
    });
  });
}
