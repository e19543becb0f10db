import { CHANNEL_RULES } from "./rules/file/channels.ts";
import { FILE_RULES } from "./rules/file/files.ts";
import { PLACE_RULES } from "./rules/file/places.ts";
import { YAML_RULES } from "./rules/file/yaml.ts";
import { TEMPLATE_VERSION_RULES } from "./rules/template/templateVersion.ts";
import { VERSION_CONTENT_RULES } from "./rules/version/versionContent.ts";
import { acceptanceApproval } from "./rules/ownership/acceptanceApproval.ts";
import { holdRemoval } from "./rules/ownership/holdRemoval.ts";
import { hotfixApproval } from "./rules/ownership/hotfixApproval.ts";
import { ownershipAuthor } from "./rules/ownership/ownershipAuthor.ts";
import { ownershipCodeowners } from "./rules/ownership/ownershipCodeowners.ts";
import { ownershipOverride } from "./rules/ownership/ownershipOverride.ts";
import { ownershipTeams } from "./rules/ownership/ownershipTeams.ts";
import { waiverApproval } from "./rules/ownership/waiverApproval.ts";
import { waiverExpired } from "./rules/ownership/waiverExpired.ts";
import { waiverUnknown } from "./rules/ownership/waiverUnknown.ts";
import { factRequired } from "./rules/version/factRequired.ts";
import { manifestApiDeprecated } from "./rules/manifest/manifestApiDeprecated.ts";
import { manifestApiRemoved } from "./rules/manifest/manifestApiRemoved.ts";
import { manifestClaimed } from "./rules/manifest/manifestClaimed.ts";
import { manifestDuplicate } from "./rules/manifest/manifestDuplicate.ts";
import { manifestManager } from "./rules/manifest/manifestManager.ts";
import { manifestNamespace } from "./rules/manifest/manifestNamespace.ts";
import { manifestObject } from "./rules/manifest/manifestObject.ts";
import { manifestSyntax } from "./rules/manifest/manifestSyntax.ts";
import { manifestWorkloadRenamed } from "./rules/manifest/manifestWorkloadRenamed.ts";
import { imageDigest } from "./rules/image/imageDigest.ts";
import { imageExists } from "./rules/image/imageExists.ts";
import { imageManagerVersion } from "./rules/image/imageManagerVersion.ts";
import { imageMissingTag } from "./rules/image/imageMissingTag.ts";
import { imageMutableTag } from "./rules/image/imageMutableTag.ts";
import { imageRegistry } from "./rules/image/imageRegistry.ts";
import { rightsAggregated } from "./rules/rights/rightsAggregated.ts";
import { rightsEscalation } from "./rules/rights/rightsEscalation.ts";
import { rightsGained } from "./rules/rights/rightsGained.ts";
import { rightsHost } from "./rules/rights/rightsHost.ts";
import { rightsPodSecurity } from "./rules/rights/rightsPodSecurity.ts";
import { rightsSecrets } from "./rules/rights/rightsSecrets.ts";
import { rightsWildcard } from "./rules/rights/rightsWildcard.ts";
import { descriptorStructure } from "./rules/descriptor/descriptorStructure.ts";
import { descriptorComponent } from "./rules/descriptor/descriptorComponent.ts";
import { descriptorManifest } from "./rules/descriptor/descriptorManifest.ts";
import { descriptorImages } from "./rules/descriptor/descriptorImages.ts";
import { descriptorRepository } from "./rules/descriptor/descriptorRepository.ts";
import { descriptorPublished } from "./rules/descriptor/descriptorPublished.ts";
import { descriptorInputs } from "./rules/descriptor/descriptorInputs.ts";
import { versionReleased } from "./rules/version/versionReleased.ts";
import { crdStructural } from "./rules/crd/crdStructural.ts";
import { crdCompatible } from "./rules/crd/crdCompatible.ts";
import { defaultCrValid } from "./rules/defaultCr/defaultCrValid.ts";
import { sampleValid } from "./rules/crd/sampleValid.ts";
import { defaultCrServed } from "./rules/defaultCr/defaultCrServed.ts";
import { dependencyServed } from "./rules/dependencies/dependencyServed.ts";
import { dependencyRemoved } from "./rules/dependencies/dependencyRemoved.ts";
import { versionLevel } from "./rules/version/versionLevel.ts";
import { templateName } from "./rules/template/templateName.ts";
import { templateNamespace } from "./rules/template/templateNamespace.ts";
import { templateLinks } from "./rules/template/templateLinks.ts";
import { templateSize } from "./rules/template/templateSize.ts";
import { templateInfo } from "./rules/template/templateInfo.ts";
import { templateManager } from "./rules/template/templateManager.ts";
import { templateMandatory } from "./rules/template/templateMandatory.ts";
import { versionChannel } from "./rules/version/versionChannel.ts";
import { versionDowngrade } from "./rules/version/versionDowngrade.ts";
import { versionReused } from "./rules/version/versionReused.ts";
import { versionInputs } from "./rules/version/versionInputs.ts";
import { versionJump } from "./rules/version/versionJump.ts";
import { channelUnproven } from "./rules/channel/channelUnproven.ts";
import { channelEarned } from "./rules/channel/channelEarned.ts";
import { channelAhead } from "./rules/channel/channelAhead.ts";
import { channelLines } from "./rules/channel/channelLines.ts";
import { channelHeld } from "./rules/channel/channelHeld.ts";
import { channelRemoval } from "./rules/channel/channelRemoval.ts";
import { mandatoryRemoved } from "./rules/channel/mandatoryRemoved.ts";
import { restrictionChanged } from "./rules/channel/restrictionChanged.ts";
import { componentChanged } from "./rules/channel/componentChanged.ts";
import { mandatoryFlip } from "./rules/channel/mandatoryFlip.ts";
import { channelMandatoryDown } from "./rules/channel/channelMandatoryDown.ts";
import { channelNewModule } from "./rules/channel/channelNewModule.ts";
import { channelFirstSubmission } from "./rules/channel/channelFirstSubmission.ts";
import { channelCalendar } from "./rules/channel/channelCalendar.ts";
import { channelTogether } from "./rules/channel/channelTogether.ts";
import type { Rule } from "./rule.ts";

/** Every rule, by group in the order in which people read about them. */
export const RULES: readonly Rule[] = [
  // file
  ...YAML_RULES,
  ...FILE_RULES,
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
  versionJump,
  versionLevel,
  versionReleased,
  // channel
  channelUnproven,
  channelEarned,
  channelAhead,
  channelLines,
  channelHeld,
  channelRemoval,
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
  descriptorComponent,
  descriptorManifest,
  descriptorImages,
  descriptorRepository,
  descriptorPublished,
  descriptorInputs,
  // manifest
  manifestSyntax,
  manifestObject,
  manifestApiRemoved,
  manifestApiDeprecated,
  manifestManager,
  manifestClaimed,
  manifestDuplicate,
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
  waiverApproval,
  acceptanceApproval,
  hotfixApproval,
  holdRemoval,
  waiverExpired,
  waiverUnknown(() => RULES),
];
