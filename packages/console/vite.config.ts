import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';

const SHARED =
  /src\/(?:ui\/[\w-]+\.tsx?$|data|frame|i18n\.ts|i18n\/formats)|lucide-react|@tanstack|openapi-fetch/;

export default defineConfig({
  plugins: [react(), tailwindcss(), compiledMessages()],
  resolve: {
    alias: { '@switchyard/client': new URL('../client/src/index.ts', import.meta.url).pathname },
  },
  build: {
    target: 'es2023',
    rolldownOptions: {
      // Groups shared modules. Otherwise each module that two screens share would be a separate
      // file, and the first page would load fifty files.
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', minShareCount: 4, maxModuleSize: 30_000, test: SHARED }],
        },
      },
      input: ['index.html', 'sign-in.html'].map((name) => `${import.meta.dirname}/${name}`),
    },
    manifest: true,
    // Inlines no assets, because the content security policy forbids `data:` scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(['/api', '/assets', '/sign-in'].map(toApi)) },
});

/** The API accepts writes from its own origin only, so the proxy sets Origin. */
function toApi(path: string): [string, ProxyOptions] {
  const target = process.env.CONSOLE_API ?? 'http://127.0.0.1:3100';
  return [path, { target, changeOrigin: true, headers: { origin: target } }];
}

function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/(?:i18n|[\w/-]+\/texts)\/\w+\.json$/.test(id)) return null;
      const messages = Object.entries(JSON.parse(code) as Record<string, string>);
      const compiled = messages.map(([key, text]) => [key, compileMessage(text)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}
