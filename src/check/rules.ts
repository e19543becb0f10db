import { CHANNEL_RULES } from "./rules/file/channels.ts";
import { fileConverted } from "./rules/file/converted.ts";
import { FILE_RULES } from "./rules/file/files.ts";
import { PLACE_RULES } from "./rules/file/places.ts";
import { YAML_RULES } from "./rules/file/yaml.ts";
import { TEMPLATE_VERSION_RULES } from "./rules/template/version.ts";
import { VERSION_CONTENT_RULES } from "./rules/version/content.ts";
import { acceptanceApproval } from "./rules/ownership/acceptanceApproval.ts";
import { entryChannel } from "./rules/ownership/entryChannel.ts";
import { holdRemoval } from "./rules/ownership/holdRemoval.ts";
import { hotfixApproval } from "./rules/ownership/hotfixApproval.ts";
import { ownershipAuthor } from "./rules/ownership/author.ts";
import { ownershipCodeowners } from "./rules/ownership/codeowners.ts";
import { ownershipOverride } from "./rules/ownership/override.ts";
import { ownershipTeams } from "./rules/ownership/teams.ts";
import { ownershipProposal } from "./rules/ownership/proposalFiles.ts";
import { waiverApproval } from "./rules/ownership/waiverApproval.ts";
import { waiverExpired } from "./rules/ownership/waiverExpired.ts";
import { waiverUnknown } from "./rules/ownership/waiverUnknown.ts";
import { factRequired } from "./rules/version/factRequired.ts";
import { manifestApiDeprecated } from "./rules/manifest/apiDeprecated.ts";
import { manifestApiRemoved } from "./rules/manifest/apiRemoved.ts";
import { manifestClaimed } from "./rules/manifest/claimed.ts";
import { manifestDataRemoved } from "./rules/manifest/dataRemoved.ts";
import { manifestDuplicate } from "./rules/manifest/duplicate.ts";
import { manifestForeign } from "./rules/manifest/foreign.ts";
import { manifestManager } from "./rules/manifest/manager.ts";
import { manifestNamespace } from "./rules/manifest/namespace.ts";
import { manifestObject } from "./rules/manifest/object.ts";
import { manifestSize } from "./rules/manifest/size.ts";
import { manifestTakeover } from "./rules/manifest/takeover.ts";
import { rightsEveryone } from "./rules/rights/everyone.ts";
import { manifestSyntax } from "./rules/manifest/syntax.ts";
import { manifestWorkloadRenamed } from "./rules/manifest/workloadRenamed.ts";
import { imageDigest } from "./rules/image/digest.ts";
import { imageExists } from "./rules/image/exists.ts";
import { imageManagerVersion } from "./rules/image/managerVersion.ts";
import { imageMissingTag } from "./rules/image/missingTag.ts";
import { imageMutableTag } from "./rules/image/mutableTag.ts";
import { imageRegistry } from "./rules/image/registry.ts";
import { rightsAggregated } from "./rules/rights/aggregated.ts";
import { rightsEscalation } from "./rules/rights/escalation.ts";
import { rightsGained } from "./rules/rights/gained.ts";
import { rightsHost } from "./rules/rights/host.ts";
import { rightsPodSecurity } from "./rules/rights/podSecurity.ts";
import { rightsSecrets } from "./rules/rights/secrets.ts";
import { rightsWildcard } from "./rules/rights/wildcard.ts";
import { descriptorStructure } from "./rules/descriptor/structure.ts";
import { descriptorComponent } from "./rules/descriptor/component.ts";
import { componentName } from "./rules/descriptor/componentName.ts";
import { descriptorManifest } from "./rules/descriptor/manifest.ts";
import { descriptorInstallable } from "./rules/descriptor/installable.ts";
import { descriptorImages } from "./rules/descriptor/images.ts";
import { descriptorRepository } from "./rules/descriptor/repository.ts";
import { descriptorPublished } from "./rules/descriptor/published.ts";
import { descriptorInputs } from "./rules/descriptor/inputs.ts";
import { versionReleased } from "./rules/version/released.ts";
import { crdStructural } from "./rules/crd/structural.ts";
import { crdCompatible } from "./rules/crd/compatible.ts";
import { defaultCrValid } from "./rules/defaultCr/valid.ts";
import { sampleValid } from "./rules/crd/sampleValid.ts";
import { defaultCrServed } from "./rules/defaultCr/served.ts";
import { dependencyServed } from "./rules/dependencies/served.ts";
import { dependencyRemoved } from "./rules/dependencies/removed.ts";
import { versionLevel } from "./rules/version/level.ts";
import { templateName } from "./rules/template/name.ts";
import { templateNamespace } from "./rules/template/namespace.ts";
import { templateLinks } from "./rules/template/links.ts";
import { templateSize } from "./rules/template/size.ts";
import { templateInfo } from "./rules/template/info.ts";
import { templateManager } from "./rules/template/manager.ts";
import { templateMandatory } from "./rules/template/mandatory.ts";
import { versionChannel } from "./rules/version/channel.ts";
import { versionDowngrade } from "./rules/version/downgrade.ts";
import { versionReused } from "./rules/version/reused.ts";
import { versionFolder } from "./rules/version/folder.ts";
import { versionInputs } from "./rules/version/inputs.ts";
import { versionJump } from "./rules/version/jump.ts";
import { channelUnproven } from "./rules/channel/unproven.ts";
import { channelEarned } from "./rules/channel/earned.ts";
import { channelAhead } from "./rules/channel/ahead.ts";
import { branchLine } from "./rules/channel/branchLine.ts";
import { channelLines } from "./rules/channel/lines.ts";
import { channelHeld } from "./rules/channel/held.ts";
import { channelRemoval } from "./rules/channel/removal.ts";
import { landscapeRemoval } from "./rules/channel/landscapeRemoval.ts";
import { mandatoryRemoved } from "./rules/channel/mandatoryRemoved.ts";
import { restrictionChanged } from "./rules/channel/restrictionChanged.ts";
import { componentChanged } from "./rules/channel/componentChanged.ts";
import { mandatoryFlip } from "./rules/channel/mandatoryFlip.ts";
import { channelMandatoryDown } from "./rules/channel/mandatoryDown.ts";
import { channelNewModule } from "./rules/channel/newModule.ts";
import { channelFirstSubmission } from "./rules/channel/firstSubmission.ts";
import { channelCalendar } from "./rules/channel/calendar.ts";
import { channelTogether } from "./rules/channel/together.ts";
import type { Rule } from "./rule.ts";

/** All rules by group, in reading order. */
export const RULES: readonly Rule[] = [
  // file
  ...YAML_RULES,
  ...FILE_RULES,
  fileConverted,
  ...CHANNEL_RULES,
  ...PLACE_RULES,
  // template
  ...TEMPLATE_VERSION_RULES,
  templateName,
  templateNamespace,
  templateLinks,
  templateSize,
  templateInfo,
  templateManager,
  templateMandatory,
  // version
  factRequired,
  ...VERSION_CONTENT_RULES,
  versionChannel,
  versionDowngrade,
  versionReused,
  versionInputs,
  versionFolder,
  versionJump,
  versionLevel,
  versionReleased,
  // channel
  branchLine,
  channelUnproven,
  channelEarned,
  channelAhead,
  channelLines,
  channelHeld,
  channelRemoval,
  landscapeRemoval,
  mandatoryRemoved,
  restrictionChanged,
  componentChanged,
  mandatoryFlip,
  channelMandatoryDown,
  channelNewModule,
  channelFirstSubmission,
  channelCalendar,
  channelTogether,
  // descriptor
  descriptorStructure,
  descriptorInstallable,
  descriptorComponent,
  componentName,
  descriptorManifest,
  descriptorImages,
  descriptorRepository,
  descriptorPublished,
  descriptorInputs,
  // manifest
  manifestSyntax,
  manifestObject,
  manifestSize,
  manifestApiRemoved,
  manifestApiDeprecated,
  manifestManager,
  manifestClaimed,
  manifestDataRemoved,
  manifestDuplicate,
  manifestForeign,
  manifestTakeover,
  manifestNamespace,
  manifestWorkloadRenamed,
  // image
  imageMissingTag,
  imageMutableTag,
  imageRegistry,
  imageManagerVersion,
  imageDigest,
  imageExists,
  // rights
  rightsGained,
  rightsWildcard,
  rightsEscalation,
  rightsAggregated,
  rightsSecrets,
  rightsEveryone,
  rightsPodSecurity,
  rightsHost,
  // crd
  crdStructural,
  crdCompatible,
  sampleValid,
  // default-cr
  defaultCrValid,
  defaultCrServed,
  // dependencies
  dependencyServed,
  dependencyRemoved,
  // ownership
  ownershipAuthor,
  ownershipOverride,
  ownershipCodeowners,
  ownershipTeams,
  ownershipProposal,
  waiverApproval,
  acceptanceApproval,
  hotfixApproval,
  holdRemoval,
  entryChannel,
  waiverExpired,
  waiverUnknown(() => RULES),
];
