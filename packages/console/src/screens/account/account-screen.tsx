import { Page } from '../../ui/page';

export function AccountScreen() {
  return <Page title="Account">{null}</Page>;
}
