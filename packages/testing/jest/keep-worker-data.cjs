/**
 * Keeps a message of jest-light-runner (0.8.2 and before) that comes too early. It sends its configuration to all workers when
 * the first of them asks for it, once: a worker that still loads then would ask for it later, and wait for ever.
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
