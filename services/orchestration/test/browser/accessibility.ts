import { source } from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Found {
  id: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Injects the script through the debugger, because the page's policy forbids other scripts.
  await page.evaluate(source);
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: TAGS },
    resultTypes: ['violations'],
    preload: false,
  });
  const found = await page.evaluate<Found[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, SHOWN).map(({ html, failureSummary }) => {
      const why = failureSummary.replace(/\s+/g, ' ').slice(0, 250);
      return `\n    ${html.slice(0, 160)}\n      ${why}`;
    });
    const more = nodes.length > SHOWN ? `\n    and ${nodes.length - SHOWN} more` : '';
    return `${id} (${help}):${places.join('')}${more}`;
  });
}

const SHOWN = 2;
