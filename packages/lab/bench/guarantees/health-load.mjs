import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, paths, bodies, connections, ms } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const end = Date.now() + ms;
const statuses = {};

function ask({ method, path, body }) {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json' } : {};
    const asked = request(`${url}${path}`, { method, agent, headers }, (answer) => {
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
      answer.resume().on('end', resolve);
    });
    asked.on('error', reject).end(body);
  });
}

const questions = [
  ...paths.map((path) => ({ method: 'GET', path })),
  ...bodies.map(({ path, body }) => ({ method: 'POST', path, body: JSON.stringify(body) })),
];

async function lane(at) {
  for (let n = at; Date.now() < end; n++) await ask(questions[n % questions.length]);
}

await Promise.all(Array.from({ length: connections }, (_, at) => lane(at)));
agent.destroy();
parentPort.postMessage(statuses);
