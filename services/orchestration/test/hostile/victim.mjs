import { writeFileSync } from 'node:fs';

writeFileSync('token', process.env.SERVICE_API_KEY);
writeFileSync('gateway', process.env.SERVICE_API_URL);
writeFileSync('notes', process.env.NOT_FOR_OTHERS);
process.stdout.write('at work\n');
setInterval(() => undefined, 1_000);
