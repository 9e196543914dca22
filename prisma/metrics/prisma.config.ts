import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'schema',
  migrations: { path: 'migrations' },
  ...(process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }),
});
