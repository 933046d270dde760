import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/db/schema/core.ts',
    './src/db/schema/character.ts',
    './src/db/schema/billing.ts',
    './src/db/schema/safety.ts',
    './src/db/schema/competition.ts',
    './src/db/schema/stats.ts',
    './src/db/schema/status.ts',
    './src/db/schema/storage.ts',
  ],
  out: './migrations',
});
