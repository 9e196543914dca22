import type { Page } from 'playwright-core';

export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
}

export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

export async function holdBack(page: Page, url: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}
