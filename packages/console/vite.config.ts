import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';

/** What nearly every screen uses. */
const SHARED =
  /src\/(?:ui\/[\w-]+\.tsx?$|data|frame|i18n\.ts|i18n\/formats)|lucide-react|@tanstack|openapi-fetch/;

export default defineConfig({
  plugins: [react(), tailwindcss(), compiledMessages()],
  // The sources of the client, so that only what a screen uses of it is bundled.
  resolve: {
    alias: { '@switchyard/client': new URL('../client/src/index.ts', import.meta.url).pathname },
  },
  build: {
    target: 'es2023',
    rolldownOptions: {
      // Without this every module that two screens share is a file of its own: fifty of them for the first page.
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', minShareCount: 4, maxModuleSize: 30_000, test: SHARED }],
        },
      },
      input: ['index.html', 'sign-in.html'].map((name) => `${import.meta.dirname}/${name}`),
    },
    manifest: true,
    // A page's own policy forbids inline content, so nothing may become a `data:` script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(['/api', '/assets', '/sign-in'].map(toApi)) },
});

/** The API takes writes of its own pages alone, so what is handed on says that it comes from one. */
function toApi(path: string): [string, ProxyOptions] {
  const target = process.env.CONSOLE_API ?? 'http://127.0.0.1:3100';
  return [path, { target, changeOrigin: true, headers: { origin: target } }];
}

/** The catalogues of `src/i18n` hold ICU messages; the browser gets them parsed, without the parser. */
function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/i18n\/\w+\.json$/.test(id)) return null;
      const messages = Object.entries(JSON.parse(code) as Record<string, string>);
      const compiled = messages.map(([key, text]) => [key, compileMessage(text)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}
