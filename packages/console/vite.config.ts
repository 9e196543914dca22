import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), tailwindcss(), compiledMessages()],
  // The sources of the client, so that only what a screen uses of it is bundled.
  resolve: {
    alias: { '@switchyard/client': new URL('../client/src/index.ts', import.meta.url).pathname },
  },
  build: {
    target: 'es2023',
    rolldownOptions: {
      input: ['index.html', 'sign-in.html'].map((name) => `${import.meta.dirname}/${name}`),
    },
    manifest: true,
    // A page's own policy forbids inline content, so nothing may become a `data:` script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3100' } },
});

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
