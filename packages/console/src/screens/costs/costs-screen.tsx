import { Page } from '../../ui/page';

export function CostsScreen() {
  return <Page title="Costs">{null}</Page>;
}
