#include "trammel/mjcf/reference.h"

#include <map>
#include <sstream>

namespace trammel::mjcf {
namespace {

// A line for each element, by where it stands: how it is treated, and of its attributes which are read, noted and refused. The tests compare
// it with the list that MuJoCo prints.
constexpr const char* table = R"(
read mujoco read model
read compiler read alignfree angle assetdir autolimits balanceinertia boundinertia boundmass coordinate eulerseq inertiafromgeom
    inertiagrouprange meshdir settotalmass strippath noted conflict discardvisual fitaabb fusestatic passthrough savecanonical
    savecompiled saveinertial texturedir usethread
noted compiler/lengthrange noted accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit
read option read gravity noted actuatorgroupdisable ccd_iterations ccd_tolerance cone density impratio integrator iterations jacobian
    ls_iterations ls_tolerance magnetic noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints
    sdf_iterations sleep_tolerance solver timestep tolerance viscosity wind
noted option/flag noted actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp filterparent
    frictionloss fwdinv gravity invdiscrete ipc island limit midphase multiccd nativeccd override refsafe sensor sleep speculative
    spring warmstart
noted size noted memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom nuser_jnt nuser_sensor nuser_site
    nuser_tendon nuserdata
noted statistic noted center extent meaninertia meanmass meansize
noted visual
noted visual/global noted azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight offwidth orthographic
    realtime
noted visual/quality noted numquads numslices numstacks offsamples shadowsize
noted visual/headlight noted active ambient diffuse specular
noted visual/map noted actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness stiffnessrot torque zfar znear
noted visual/scale noted actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth forcewidth framelength
    framewidth frustum jointlength jointwidth light selectpoint slidercrank
noted visual/rgba noted actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint contactforce
    contactfriction contactgap contactpoint contacttorque crankbroken fog force frustum haze inertia joint light rangefinder selectpoint
    slidercrank
read default read class
read default/mesh read scale noted inertia maxhullvert
noted default/texture noted builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel random rgb1 rgb2 type vflip
    width
read default/material read rgba noted emission metallic reflectance roughness shininess specular texrepeat texture texuniform
noted default/material/layer noted role texture
read default/joint read actuatorfrclimited actuatorfrcrange armature axis damping frictionloss limited pos range ref springdamper
    springref stiffness type noted actuatorgravcomp group margin solimpfriction solimplimit solreffriction solreflimit user refused
    springyield
read default/geom read axisangle density euler fromto group mass material mesh pos quat rgba shellinertia size type xyaxes zaxis noted
    adhesion castshadow conaffinity condim contype fitscale fluidcoef fluidshape friction gap hfield margin priority solimp solmix
    solref surfacevel user
read default/site read axisangle euler fromto pos quat xyaxes zaxis noted group material mesh rgba size type user
noted default/camera noted axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel projection quat resolution
    sensorsize user xyaxes zaxis
noted default/light noted active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent intensity mode pos
    range softness specular type
noted default/pair noted adhesion condim friction gap margin solimp solref solreffriction
read default/equality read active noted solimp solref
read default/tendon read armature damping frictionloss stiffness noted actuatorfrclimited actuatorfrcrange group limited margin material
    range rgba solimpfriction solimplimit solreffriction solreflimit springlength user width refused springyield
read default/general read biasprm biastype ctrllimited ctrlrange dyntype forcelimited forcerange gainprm gaintype gear inheritrange
    noted actdim actearly actlimited actrange cranklength delay dynprm ffrange group input interp nsample user velrange refused armature
    damping
read default/motor read ctrllimited ctrlrange forcelimited forcerange gear noted cranklength delay group interp nsample user refused
    armature damping
read default/position read dampratio timeconst ctrllimited ctrlrange forcelimited forcerange gear inheritrange kp kv noted cranklength
    delay group interp nsample user refused armature damping
read default/velocity read ctrllimited ctrlrange forcelimited forcerange gear kv noted cranklength delay group interp nsample user
    refused armature damping
noted default/intvelocity noted actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited
    forcerange gear group inheritrange interp kp kv nsample user
noted default/orientation noted ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user
noted default/pid noted armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited forcerange gear group
    imax inheritrange input interp ki kp kv nsample posrange slewmax user velrange
noted default/damper noted armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp kv nsample user
noted default/cylinder noted area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited forcerange gear
    group interp nsample timeconst user
noted default/muscle noted armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax fvmax gear group
    interp lmax lmin nsample range scale timeconst user vmax
noted default/adhesion noted ctrlrange delay forcelimited forcerange gain group interp nsample user
noted default/dcmotor noted armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group inductance input
    interp lugre motorconst nominal nsample resistance saturation thermal user
noted extension
noted extension/plugin noted plugin
noted extension/plugin/instance noted name
noted extension/plugin/instance/config noted key value
read asset
read asset/mesh read class file name scale noted builtin content_type face inertia material maxhullvert normal params refpos refquat
    smoothnormal texcoord vertex
noted asset/mesh/plugin noted instance plugin
noted asset/mesh/plugin/config noted key value
noted asset/hfield noted content_type elevation file name ncol nrow size
noted asset/skin noted face file group inflate material name rgba texcoord vertex
noted asset/skin/bone noted bindpos bindquat body vertid vertweight
noted asset/texture noted builtin class colorspace content_type embed file fileback filedown filefront fileleft fileright fileup
    gridlayout gridsize height hflip mark markrgb name nchannel random rgb1 rgb2 type vflip width
read asset/material read class name rgba noted emission metallic reflectance roughness shininess specular texrepeat texture texuniform
noted asset/material/layer noted role texture
refused asset/model refused content_type file name
read body read axisangle childclass euler name pos quat xyaxes zaxis noted fuse gravcomp mocap simple sleep user
read body/inertial read axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis
read body/joint read actuatorfrclimited actuatorfrcrange armature axis class damping frictionloss limited name pos range ref
    springdamper springref stiffness type noted actuatorgravcomp group margin solimpfriction solimplimit solreffriction solreflimit user
    refused springyield
read body/freejoint read align name noted group
read body/geom read axisangle class density euler fromto group mass material mesh name pos quat rgba shellinertia size type xyaxes zaxis
    noted adhesion castshadow conaffinity condim contype fitscale fluidcoef fluidshape friction gap hfield margin priority solimp solmix
    solref surfacevel user
noted body/geom/plugin noted instance plugin
noted body/geom/plugin/config noted key value
refused body/attach refused body frame model prefix
read body/site read axisangle class euler fromto name pos quat xyaxes zaxis noted group material mesh rgba size type user
noted body/camera noted axisangle class euler focal focalpixel fovy ipd mode name output pos principal principalpixel projection quat
    resolution sensorsize target user xyaxes zaxis
noted body/light noted active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional exponent intensity mode
    name pos range softness specular target texture type
noted body/plugin noted instance plugin
noted body/plugin/config noted key value
refused body/flexcomp refused axisangle cellcount count dim dof element euler file flatskin group inertiabox mass material mesh name
    origin point pos quat radius rgba rigid scale spacing texcoord type xyaxes zaxis
refused body/flexcomp/edge refused damping equality solimp solref stiffness
refused body/flexcomp/elasticity refused damping elastic2d poisson section sectionsize shear thickness yield young
refused body/flexcomp/contact refused activelayers conaffinity condim contype friction gap margin passive priority selfcollide solimp
    solmix solref
refused body/flexcomp/pin refused grid gridrange id range
refused body/flexcomp/plugin refused instance plugin
refused body/flexcomp/plugin/config refused key value
noted deformable
refused deformable/flex refused body cellcount dim dof element elemtexcoord flatskin group material name node nodecoord radius rgba
    texcoord vertex
refused deformable/flex/contact refused activelayers conaffinity condim contype friction gap margin passive priority selfcollide solimp
    solmix solref
refused deformable/flex/edge refused damping stiffness
refused deformable/flex/elasticity refused damping elastic2d poisson section sectionsize shear thickness yield young
noted deformable/skin noted face file group inflate material name rgba texcoord vertex
noted deformable/skin/bone noted bindpos bindquat body vertid vertweight
noted contact
noted contact/pair noted adhesion class condim friction gap geom1 geom2 margin name solimp solref solreffriction
noted contact/exclude noted body1 body2 name
read tendon
noted tendon/spatial noted actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin material name
    range rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness user width
noted tendon/spatial/site noted site
noted tendon/spatial/geom noted geom sidesite
noted tendon/spatial/pulley noted divisor
read tendon/fixed read armature class damping frictionloss name stiffness noted actuatorfrclimited actuatorfrcrange group limited margin
    range solimpfriction solimplimit solreffriction solreflimit springlength user refused springyield
read tendon/fixed/joint read coef joint
read equality
read equality/connect read active anchor body1 body2 class name site1 site2 noted solimp solref
read equality/weld read active anchor body1 body2 class name relpose site1 site2 noted solimp solref torquescale
read equality/joint read active class joint1 joint2 name polycoef noted solimp solref
read equality/tendon read active class name polycoef tendon1 tendon2 noted solimp solref
refused equality/flex refused active class flex name solimp solref
refused equality/flexstrain refused active cell class flex name solimp solref
read actuator
read actuator/general read biasprm biastype class ctrllimited ctrlrange dyntype forcelimited forcerange gainprm gaintype gear
    inheritrange joint jointinparent name tendon noted actdim actearly actlimited actrange body cranklength cranksite delay dynprm
    ffrange group input interp lengthrange nsample refsite site slidersite user velrange refused armature damping
read actuator/motor read class ctrllimited ctrlrange forcelimited forcerange gear joint jointinparent name tendon noted cranklength
    cranksite delay group interp lengthrange nsample refsite site slidersite user refused armature damping
read actuator/position read dampratio timeconst class ctrllimited ctrlrange forcelimited forcerange gear inheritrange joint
    jointinparent kp kv name tendon noted cranklength cranksite delay group interp lengthrange nsample refsite site slidersite user
    refused armature damping
read actuator/velocity read class ctrllimited ctrlrange forcelimited forcerange gear joint jointinparent kv name tendon noted
    cranklength cranksite delay group interp lengthrange nsample refsite site slidersite user refused armature damping
noted actuator/intvelocity noted actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay
    forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name nsample refsite site slidersite
    tendon user
noted actuator/orientation noted class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp kv name nsample
    refsite site user
noted actuator/pid noted armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay ffrange forcelimited
    forcerange gear group imax inheritrange input interp joint jointinparent ki kp kv lengthrange name nsample posrange refsite site
    slewmax slidersite tendon user velrange
noted actuator/damper noted armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange gear group interp joint
    jointinparent kv lengthrange name nsample refsite site slidersite tendon user
noted actuator/cylinder noted area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay diameter forcelimited
    forcerange gear group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon timeconst user
noted actuator/muscle noted armature class cranklength cranksite ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax
    fvmax gear group interp joint jointinparent lengthrange lmax lmin name nsample range scale slidersite tausmooth tendon timeconst
    user vmax
noted actuator/adhesion noted body class ctrlrange delay forcelimited forcerange gain group interp name nsample user
noted actuator/dcmotor noted armature class cogging controller cranklength cranksite ctrllimited ctrlrange damping delay gear group
    inductance input interp joint jointinparent lengthrange lugre motorconst name nominal nsample refsite resistance saturation site
    slidersite tendon thermal user
noted actuator/plugin noted actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping delay
    dynprm dyntype forcelimited forcerange gear group instance interp joint jointinparent lengthrange name nsample plugin site
    slidersite tendon user
noted actuator/plugin/config noted key value
noted sensor
noted sensor/touch noted cutoff delay interp interval name noise nsample site user
noted sensor/accelerometer noted cutoff delay interp interval name noise nsample site user
noted sensor/velocimeter noted cutoff delay interp interval name noise nsample site user
noted sensor/gyro noted cutoff delay interp interval name noise nsample site user
noted sensor/force noted cutoff delay interp interval name noise nsample site user
noted sensor/torque noted cutoff delay interp interval name noise nsample site user
noted sensor/magnetometer noted cutoff delay interp interval name noise nsample site user
noted sensor/camprojection noted camera cutoff delay interp interval name noise nsample site user
noted sensor/rangefinder noted camera cutoff data delay interp interval name noise nsample site user
noted sensor/jointpos noted cutoff delay interp interval joint name noise nsample user
noted sensor/jointvel noted cutoff delay interp interval joint name noise nsample user
noted sensor/tendonpos noted cutoff delay interp interval name noise nsample tendon user
noted sensor/tendonvel noted cutoff delay interp interval name noise nsample tendon user
noted sensor/actuatorpos noted actuator cutoff delay interp interval name noise nsample user
noted sensor/actuatorvel noted actuator cutoff delay interp interval name noise nsample user
noted sensor/actuatorfrc noted actuator cutoff delay interp interval name noise nsample user
noted sensor/jointactuatorfrc noted cutoff delay interp interval joint name noise nsample user
noted sensor/tendonactuatorfrc noted cutoff delay interp interval name noise nsample tendon user
noted sensor/ballquat noted cutoff delay interp interval joint name noise nsample user
noted sensor/ballangvel noted cutoff delay interp interval joint name noise nsample user
noted sensor/jointlimitpos noted cutoff delay interp interval joint name noise nsample user
noted sensor/jointlimitvel noted cutoff delay interp interval joint name noise nsample user
noted sensor/jointlimitfrc noted cutoff delay interp interval joint name noise nsample user
noted sensor/tendonlimitpos noted cutoff delay interp interval name noise nsample tendon user
noted sensor/tendonlimitvel noted cutoff delay interp interval name noise nsample tendon user
noted sensor/tendonlimitfrc noted cutoff delay interp interval name noise nsample tendon user
noted sensor/framepos noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/framequat noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/framexaxis noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/frameyaxis noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/framezaxis noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/framelinvel noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/frameangvel noted cutoff delay interp interval name noise nsample objname objtype refname reftype user
noted sensor/framelinacc noted cutoff delay interp interval name noise nsample objname objtype user
noted sensor/frameangacc noted cutoff delay interp interval name noise nsample objname objtype user
noted sensor/subtreecom noted body cutoff delay interp interval name noise nsample user
noted sensor/subtreelinvel noted body cutoff delay interp interval name noise nsample user
noted sensor/subtreeangmom noted body cutoff delay interp interval name noise nsample user
noted sensor/insidesite noted cutoff delay enclosed interp interval name noise nsample objname objtype site user
noted sensor/distance noted body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user
noted sensor/normal noted body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user
noted sensor/fromto noted body1 body2 cutoff delay geom1 geom2 interp interval name noise nsample user
noted sensor/contact noted body1 body2 cutoff data delay geom1 geom2 interp interval name noise nsample num reduce site subtree1
    subtree2 user
noted sensor/e_potential noted cutoff delay interp interval name noise nsample user
noted sensor/e_kinetic noted cutoff delay interp interval name noise nsample user
noted sensor/clock noted cutoff delay interp interval name noise nsample user
noted sensor/tactile noted cutoff delay geom interp interval mesh name nsample user
noted sensor/user noted cutoff datatype dim name needstage noise objname objtype user
noted sensor/plugin noted cutoff instance name objname objtype plugin refname reftype user
noted sensor/plugin/config noted key value
noted custom
noted custom/numeric noted data name size
noted custom/text noted data name
noted custom/tuple noted name
noted custom/tuple/element noted objname objtype prm
read keyframe
read keyframe/key read ctrl name qpos qvel noted act mpos mquat plastic time
read frame read axisangle childclass euler name pos quat xyaxes zaxis
read include read file
read worldbody
refused replicate refused count sep offset euler
refused composite refused type prefix count offset curve initial size quat vertex
)";

std::map<std::string, Entry, std::less<>> parsed() {
  std::map<std::string, Entry, std::less<>> entries;
  std::istringstream words(table);
  Entry* entry = nullptr;
  Treatment treatment = Treatment::read;
  const auto treatment_of = [](const std::string& word) {
    return word == "read" ? Treatment::read : word == "noted" ? Treatment::noted : Treatment::refused;
  };
  bool at_line = false;
  std::string line;
  while (std::getline(words, line)) {
    at_line = !line.starts_with("    ");  // others go on with the one before
    std::istringstream items(line);
    std::string word;
    if (at_line && items >> word) {
      const Treatment of_element = treatment_of(word);
      items >> word;
      entry = &entries[word];
      entry->treatment = of_element;
    }
    while (items >> word)
      if (word == "read" || word == "noted" || word == "refused")
        treatment = treatment_of(word);
      else
        entry->attributes.emplace(word, treatment);
  }
  return entries;
}

const std::map<std::string, Entry, std::less<>>& entries() {
  static const std::map<std::string, Entry, std::less<>> all = parsed();
  return all;
}

}  // namespace

const Entry* entry_of(std::string_view path) {
  const auto found = entries().find(path);
  return found == entries().end() ? nullptr : &found->second;
}

std::vector<std::string> paths() {
  std::vector<std::string> out;
  for (const auto& [path, entry] : entries()) out.push_back(path);
  return out;
}

std::string path_of(const std::string& parent, const std::string& tag) {
  // bodies and frames hold the same, and stand in each other; defaults stand in defaults
  for (const char* anywhere : {"include", "frame", "replicate", "composite", "body", "worldbody"})
    if (tag == anywhere) return tag;
  if (parent == "mujoco" || (parent == "default" && tag == "default")) return tag;
  return (parent == "worldbody" || parent == "frame" ? "body" : parent) + "/" + tag;
}

}  // namespace trammel::mjcf
