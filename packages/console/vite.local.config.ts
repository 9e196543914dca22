import base from './vite.config';
export default {
  ...base,
  server: { proxy: { '/api': 'http://127.0.0.1:3920' }, hmr: false },
  cacheDir: '/tmp/machine/vite-cache',
};
