// Rules that drop whole control groups, because they only read labels that all processes of a group
// share.
import type { RelabelRule } from '../../src/model/relabel.ts';

/** Labels that come from the path of a control group, or are the same on the whole host. */
const sharedNames =
  /^(?:node|__meta_process_cgroup|__meta_agent_revision|__meta_(?:system|systemd|kubernetes|docker|podman|containerd|crio)_\w+|__meta_(?:lxc|nspawn|nomad)_container_id)$/;

/**
 * Returns the rules that keep or drop a process only by its control group, whatever the other rules
 * do. If one of them drops a process, all rules together drop it, and every other process of its
 * group.
 */
export function cgroupRules(rules: readonly RelabelRule[]): readonly RelabelRule[] {
  const found: RelabelRule[] = [];
  const changed = new Set<string>();
  for (const rule of rules) {
    const { action, sourceLabels, targetLabel } = rule;
    if (action === 'keep' || action === 'drop') {
      const isShared = (name: string): boolean => sharedNames.test(name) && !changed.has(name);
      if (sourceLabels.length > 0 && sourceLabels.every(isShared)) found.push(rule);
      continue;
    }
    if (action === 'keepequal' || action === 'dropequal') continue;
    // These may change any label.
    if (action.startsWith('label') || targetLabel.includes('$')) break;
    changed.add(targetLabel);
  }
  return found;
}
