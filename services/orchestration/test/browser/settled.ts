import type { Page } from 'playwright-core';

/** Waits until a screen has a heading and shows no more grey rows in place of what it reads. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
}
