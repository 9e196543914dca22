import { Page } from '../../ui/page';

export function SettingsScreen() {
  return <Page title="Settings">{null}</Page>;
}
