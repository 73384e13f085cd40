// Files that break a tidy rule and are left for now. The list may only get shorter: whoever pays
// one runs `node tools/tidy/settle.ts`, which takes it out and prints what is left.

export interface Debt {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

/** Files and the rules of English that each breaks, written before there were such rules. */
const wording = `
agent/debuginfo/debuginfo-client.ts subject-first
agent/debuginfo/extract.ts subject-first
agent/debuginfo/uploader.ts subject-first
agent/frames/frame-resolver.ts subject-first
agent/send/write-arrow.ts subject-first
bench/query/heavy-queries.ts subject-first
bpf/symbolizer/src/demangle.rs subject-first
bpf/symbolizer/src/dwarf.rs subject-first
cmd/flag-table.ts subject-first
cmd/parcatool/explain-nothing.ts subject-first
cmd/parcatool/options.ts subject-first
cmd/parcatool/profiles-of.ts subject-first
test/fuzz/web-config.ts subject-first
test/script/evaluate.ts subject-first
test/script/parse-script.ts subject-first
test/support/browser.ts subject-first
test/support/debuginfo-client.ts subject-first
test/support/page-numbers.ts subject-first
test/support/server.ts subject-first
test/whole-server/questions.ts subject-first
test/whole-server/world.ts subject-first
tools/tidy/check.ts subject-first
web/src/answers/use-detail.ts subject-first
web/src/answers/use-explore.ts subject-first
web/src/answers/use-question.ts subject-first
web/src/canvas/draw-plan.ts subject-first
web/src/canvas/painter.ts subject-first
web/src/canvas/surface.ts subject-first
web/src/canvas/view.ts subject-first
web/src/compare/deploy-markers.tsx subject-first
web/src/explore/explore-page.tsx subject-first
web/src/format/measure.ts subject-first
web/src/format/name-parts.ts subject-first
web/src/format/profile-type.ts subject-first
web/src/icicle/flame-chart.tsx subject-first
web/src/icicle/frame-facts.ts subject-first
web/src/icicle/frame-tooltip.tsx subject-first
web/src/icicle/search-box.tsx subject-first
web/src/language/query-text.ts subject-first
web/src/metrics/metrics-graph.tsx subject-first
web/src/metrics/metrics-panel.tsx subject-first
web/src/page/facts.ts subject-first
web/src/page/hooks.ts subject-first
web/src/page/keys.ts subject-first
web/src/page/server-away.ts subject-first
web/src/page/use-resource.ts subject-first
web/src/parts/context-menu.tsx subject-first
web/src/query/label-chips.tsx subject-first
web/src/rpc/nearest.ts subject-first
web/src/rpc/progress.ts subject-first
web/src/services/services-page.tsx subject-first
web/src/tree/kind.ts subject-first
web/src/url/time-range.ts subject-first
web/src/url/url-state.ts subject-first
`;

export const debts: readonly Debt[] = wording
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => {
    const [path, ...rules] = line.split(' ');
    const reason = 'was written before the rule; whoever owns the folder puts it right';
    return rules.map((rule) => ({ rule, path, reason }));
  });
