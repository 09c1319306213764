#include "account/network_disk.h"

#include <linux/magic.h>

#include <algorithm>
#include <array>

namespace dpsql {
namespace {

constexpr auto kNetworkDisks = std::to_array<unsigned long>({
    NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC, NCP_SUPER_MAGIC,
    CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC, AFS_FS_MAGIC, CODA_SUPER_MAGIC, OCFS2_SUPER_MAGIC,
    V9FS_MAGIC,  // folders of a host in its virtual machines
    0x786F4256,  // the same of VirtualBox
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
    0x01161970,  // GFS2
    0x19830326,  // BeeGFS
    0x20030528,  // OrangeFS
    0xAAD7AAEA,  // PanFS
});

}  // namespace

bool IsNetworkDisk(unsigned long kind) {
  return std::find(kNetworkDisks.begin(), kNetworkDisks.end(), kind) != kNetworkDisks.end();
}

}  // namespace dpsql
